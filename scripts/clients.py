"""The official clients, on our fake providers: words, calls, usage, models and refusals."""

import base64
import json
import pathlib
import sys

import anthropic
import openai
from anthropic.types import ToolParam
from google import genai
from google.genai import errors, types
from mcp.types import ListToolsResult
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

address, key, live, exported = sys.argv[1:]
TEXT = "Hello from a fake. Čau!"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
ASKED = [{"role": "user", "content": "Hi"}]


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r} is not {expected!r}")
    print(f"  {what}: {found!r}")


def openai_chat(client):
    text, usage = "", None
    stream = client.chat.completions.create(
        model="small-1", messages=ASKED, stream=True, stream_options={"include_usage": True}
    )
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
    same("chat: words", text, TEXT)
    same("chat: usage", (usage.prompt_tokens, usage.completion_tokens), (20, 5))
    tool = {"type": "function", "function": {"name": "gmail__search", "parameters": SCHEMA}}
    name, arguments = "", ""
    for chunk in client.chat.completions.create(
        model="small-1", messages=ASKED, tools=[tool], stream=True
    ):
        for choice in chunk.choices:
            for call in choice.delta.tool_calls or []:
                name += call.function.name or ""
                arguments += call.function.arguments or ""
    same("chat: call", (name, arguments), ("gmail__search", '{"query":"budget"}'))


def openai_responses(client):
    text, usage = "", None
    for event in client.responses.create(model="small-1", input="Hi", stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
        if event.type == "response.completed":
            usage = event.response.usage
    same("responses: words", text, TEXT)
    same("responses: usage", (usage.input_tokens, usage.output_tokens), (20, 5))
    tool = {"type": "function", "name": "gmail__search", "parameters": SCHEMA, "strict": False}
    calls = [
        (event.name, event.arguments)
        for event in client.responses.create(
            model="small-1", input="Hi", tools=[tool], stream=True
        )
        if event.type == "response.function_call_arguments.done"
    ]
    same("responses: call", calls, [("gmail__search", '{"query":"budget"}')])


def openai_realtime(client):
    pcm = {"type": "audio/pcm", "rate": 24000}
    tool = {"type": "function", "name": "gmail__search", "parameters": SCHEMA}
    written = {"model": "gpt-live-transcribe", "languages": ["en", "de"]}
    heard, said, sound, calls, statuses = "", "", 0, [], []
    with client.realtime.connect(model="live-1") as line:
        line.session.update(
            session={
                "type": "realtime",
                "output_modalities": ["audio"],
                "audio": {
                    "input": {"format": pcm, "transcription": written, "turn_detection": None},
                    "output": {"format": pcm, "voice": "cedar"},
                },
                "tools": [tool],
            }
        )
        line.input_audio_buffer.append(audio=base64.b64encode(bytes(9600)).decode())
        line.input_audio_buffer.commit()
        line.response.create()
        for event in line:
            if event.type == "error":
                sys.exit(f"realtime: {event.error}")
            if event.type == "conversation.item.input_audio_transcription.completed":
                heard = event.transcript
            if event.type == "response.output_audio_transcript.delta":
                said += event.delta
            if event.type == "response.output_audio.delta":
                sound += len(base64.b64decode(event.delta))
            if event.type == "response.function_call_arguments.done":
                calls.append(event.arguments)
            if event.type == "response.done":
                statuses.append((event.response.status, event.response.usage.total_tokens))
                if len(statuses) == 2:
                    break
                line.response.create()
    same("realtime: heard", heard, "Hi there.")
    same("realtime: words", said, TEXT)
    same("realtime: sound", sound > 24000, True)
    same("realtime: call", calls, ['{"query":"budget"}'])
    same("realtime: ends", statuses, [("completed", 130)] * 2)


def anthropic_messages(client):
    with client.messages.stream(model="small-1", max_tokens=99, messages=ASKED) as stream:
        same("anthropic: words", "".join(stream.text_stream), TEXT)
        usage = stream.get_final_message().usage
    found = (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens)
    same("anthropic: usage", found, (12, 8, 5))
    tool = {"name": "gmail__search", "description": "Finds mail.", "input_schema": SCHEMA}
    with client.messages.stream(
        model="small-1", max_tokens=99, messages=ASKED, tools=[tool]
    ) as stream:
        last = stream.get_final_message()
    calls = [(block.name, block.input) for block in last.content if block.type == "tool_use"]
    same("anthropic: call", calls, [("gmail__search", {"query": "budget"})])
    same("anthropic: end", last.stop_reason, "tool_use")


def gemini(client):
    text, usage = "", None
    for chunk in client.models.generate_content_stream(model="small-1", contents="Hi"):
        text += chunk.text or ""
        usage = chunk.usage_metadata or usage
    same("gemini: words", text, TEXT)
    same("gemini: usage", (usage.prompt_token_count, usage.candidates_token_count), (20, 5))
    declared = types.FunctionDeclaration(name="gmail__search", parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    calls = []
    for chunk in client.models.generate_content_stream(
        model="small-1", contents="Hi", config=config
    ):
        calls += [(call.name, call.args) for call in chunk.function_calls or []]
    same("gemini: call", calls, [("gmail__search", {"query": "budget"})])


def exported_tools(one, two, three):
    """What `sayso tools --as` writes is taken by each author's own types, and can be sent."""
    read = lambda name: json.loads(pathlib.Path(exported, f"{name}.json").read_text())
    chat, responses, messages = read("openai"), read("responses"), read("anthropic")
    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(chat)
    TypeAdapter(list[FunctionToolParam]).validate_python(responses)
    TypeAdapter(list[ToolParam]).validate_python(messages)
    declared = [types.Tool.model_validate(tool) for tool in read("gemini")]
    listed = ListToolsResult.model_validate(read("mcp")).tools
    first = messages[0]["name"]
    answer = one.chat.completions.create(model="small-1", messages=ASKED, tools=chat, stream=True)
    calls = [
        call.function.name
        for chunk in answer
        for choice in chunk.choices
        for call in choice.delta.tool_calls or []
        if call.function.name
    ]
    same("exported: chat", calls, [first])
    with two.messages.stream(
        model="small-1", max_tokens=99, messages=ASKED, tools=messages
    ) as stream:
        blocks = stream.get_final_message().content
    same("exported: anthropic", [b.name for b in blocks if b.type == "tool_use"], [first])
    config = types.GenerateContentConfig(
        tools=declared,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    calls = []
    for chunk in three.models.generate_content_stream(
        model="small-1", contents="Hi", config=config
    ):
        calls += [call.name for call in chunk.function_calls or []]
    same("exported: gemini", calls, [first])
    names = [tool.name.replace(".", "__") for tool in listed]
    same("exported: mcp", names == [tool["name"] for tool in messages], True)
    # As it is spelt on the wire: what its client calls it has changed before.
    hints = [(t.name, t.model_dump(by_alias=True)["annotations"] or {}) for t in listed]
    changing = [name for name, hint in hints if hint.get("destructiveHint")]
    same("exported: mcp, what writes", "gmail.send" in changing, True)


def clients(shown):
    options = types.HttpOptions(base_url=f"http://{address}")
    return (
        openai.OpenAI(
            base_url=f"http://{address}/v1",
            websocket_base_url=f"ws://{live}/v1",
            api_key=shown,
            max_retries=0,
        ),
        anthropic.Anthropic(base_url=f"http://{address}", api_key=shown, max_retries=0),
        genai.Client(api_key=shown, http_options=options),
    )


def refused(what, kind, ask):
    try:
        ask()
    except kind as error:
        print(f"  {what}: {type(error).__name__}")
    else:
        sys.exit(f"{what}: a wrong key was taken")


one, two, three = clients(key)
openai_chat(one)
openai_responses(one)
openai_realtime(one)
anthropic_messages(two)
gemini(three)
exported_tools(one, two, three)
same("openai: models", [model.id for model in one.models.list()], ["small-1", "large-1"])
same("anthropic: models", [model.id for model in two.models.list()], ["small-1", "large-1"])
one, two, three = clients("wrong")
refused("openai: wrong key", openai.AuthenticationError, one.models.list)
refused("anthropic: wrong key", anthropic.AuthenticationError, two.models.list)
asks = lambda: three.models.generate_content(model="small-1", contents="Hi")
refused("gemini: wrong key", errors.ClientError, asks)
print("The official clients and our fakes agree.")
