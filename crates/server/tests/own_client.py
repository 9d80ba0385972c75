"""OpenAI's own client for Python on our fake of its service: python3 own_client.py URL KEY"""

import io
import sys
import wave

from openai import AuthenticationError, BadRequestError, OpenAI

url, key = sys.argv[1:]
client = OpenAI(base_url=url, api_key=key, max_retries=0)

sound = io.BytesIO()
with wave.open(sound, "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(16_000)
    file.writeframes(bytes(32_000))
said = ("said.wav", sound.getvalue())

hear = client.audio.transcriptions.create
assert hear(model="whisper-1", file=said, language="en").text == "Two meetings tomorrow."
plain = hear(model="whisper-1", file=said, response_format="text")
assert plain.strip() == "Two meetings tomorrow.", plain

say = client.audio.speech.create
pcm = say(model="tts-1", voice="alloy", input="Hi.", response_format="pcm", speed=0.9)
assert len(pcm.read()) == 48_000
streaming = client.audio.speech.with_streaming_response.create
with streaming(model="tts-1", voice="alloy", input="Hi.", response_format="wav") as answer:
    pieces = list(answer.iter_bytes(1_000))
with wave.open(io.BytesIO(b"".join(pieces))) as file:
    assert (file.getnframes(), file.getframerate()) == (24_000, 24_000)

try:
    hear(model="whisper-1", file=("said.wav", b"no sound"))
    raise SystemExit("what is no sound was heard")
except BadRequestError as error:
    assert error.code == "bad_file", error
try:
    OpenAI(base_url=url, api_key="sk-wrong", max_retries=0).audio.speech.create(
        model="tts-1", voice="alloy", input="Hi."
    )
    raise SystemExit("a wrong key was taken")
except AuthenticationError as error:
    assert error.code == "invalid_api_key", error
