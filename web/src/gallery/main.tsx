/** Every part in every state, from samples: to be looked at, and tried for accessibility. Never in a release. */
import { signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import "../ui/tokens.css";
import "../ui/base.css";
import type { MicState, TurnState } from "../../sdk/index.ts";
import { AttachmentTray } from "../ui/AttachmentTray.tsx";
import { AssistantBubble, UserBubble, WaitingBubble } from "../ui/Bubble.tsx";
import { Button } from "../ui/Button.tsx";
import { ChoiceCard } from "../ui/ChoiceCard.tsx";
import { Composer } from "../ui/Composer.tsx";
import { ConfirmCard } from "../ui/ConfirmCard.tsx";
import { FirstRun } from "../ui/FirstRun.tsx";
import { Found } from "../ui/Found.tsx";
import { Header } from "../ui/Header.tsx";
import { Banner, StandIn, wordsOf } from "../ui/LinkBanner.tsx";
import list from "../ui/List.module.css";
import { MicButton } from "../ui/MicButton.tsx";
import { Notice } from "../ui/Notice.tsx";
import { PlanRail } from "../ui/PlanRail.tsx";
import { Receipt } from "../ui/Receipt.tsx";
import { StatusStrip } from "../ui/StatusStrip.tsx";
import { statusOf } from "../ui/status.ts";
import { ToolCard, ToolFold } from "../ui/ToolCard.tsx";
import { Talk, Welcome } from "../ui/Welcome.tsx";
import { BESIDE } from "./beside.tsx";
import styles from "./gallery.module.css";
import {
  CANCEL,
  card,
  DAYS,
  DONE_PLAN,
  DOUBTFUL,
  DRAFT,
  EMAIL,
  EVENT,
  FILES,
  LINES,
  MAILS,
  MAYA,
  MEMORY,
  MOVE,
  message,
  NOTICE,
  PLAN,
  RECEIPTS,
  REMINDER,
  tool,
  turn,
} from "./samples.ts";

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get("theme") ?? "light";
/** Only what opens beside the conversation; without it, everything that stands in it. */
const beside = BESIDE[asked.get("part") ?? ""];

const nothing = () => undefined;
/** By then a card can be pressed here. */
const ARMED_MS = 300;
const loud = signal(0.2);
const STATES: TurnState[] = [
  "idle",
  "listening",
  "finalizing_input",
  "thinking",
  "executing_tools",
  "awaiting_confirmation",
  "error_recoverable",
  "error_terminal",
];
const MICS: MicState[] = ["off", "asking", "open", "muted", "denied"];

function Part({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section class={styles.part} aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function Card({
  question,
  isLive = true,
  leftMs = 300_000,
  problem = "",
  before = null,
}: {
  question: typeof EMAIL;
  isLive?: boolean;
  leftMs?: number;
  problem?: string;
  before?: { words: string; go(): void } | null;
}) {
  return (
    <ConfirmCard
      card={card(question)}
      isLive={isLive}
      armAfterMs={0}
      pending={null}
      problem={problem}
      kept={null}
      onKeep={nothing}
      leftMs={() => leftMs}
      place={before ? { at: 2, of: 2 } : { at: 1, of: 1 }}
      before={before}
      onAnswer={nothing}
      onSay={nothing}
      onTouch={nothing}
      onKeepOpen={nothing}
    />
  );
}

/** As somebody has it who has pressed Edit. */
function EditedCard({ question }: { question: typeof EMAIL }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = () =>
      box.current
        ?.querySelector("[data-card]")
        ?.dispatchEvent(new KeyboardEvent("keydown", { altKey: true, code: "KeyE", bubbles: true }));
    const timer = setTimeout(press, ARMED_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div ref={box}>
      <Card question={question} />
    </div>
  );
}

function Mic({ state }: { state: MicState }) {
  return (
    <MicButton
      state={state}
      style="auto"
      level={loud}
      micId=""
      speakerId=""
      isHeld={false}
      onTalk={nothing}
      onMute={nothing}
      onHold={nothing}
      onStyle={nothing}
      onMic={nothing}
      onSpeaker={nothing}
      onTest={nothing}
      onOff={nothing}
    />
  );
}

const LONG =
  "Three meetings tomorrow. The first is stand-up at nine thirty, then lunch with Tom at twelve, and the design review at three.";
const BLUE = "Because air scatters blue light more than red, so it reaches you from every side.";

function Words() {
  return (
    <Part name="Words">
      <UserBubble
        isTimed={true}
        message={message({ id: "u1", role: "user", text: "What meetings do I have tomorrow?", mode: "voice" })}
        isSuperseded={false}
        onCorrect={nothing}
      />
      <UserBubble
        isTimed={true}
        message={message({
          id: "u2",
          role: "user",
          text: "what meetings do I have tomor",
          phase: "draft",
          stable: 22,
          mode: "voice",
        })}
        isSuperseded={false}
        onCorrect={null}
      />
      <UserBubble
        isTimed={true}
        message={message({
          id: "u3",
          role: "user",
          text: "Reply to Brea that Thirsty works",
          confidence: 0.4,
          doubted: [
            [9, 13],
            [19, 26],
          ],
          mode: "voice",
        })}
        isSuperseded={true}
        onCorrect={nothing}
      />
      <UserBubble
        isTimed={true}
        message={message({
          id: "u4",
          role: "user",
          text: "What does it say about notice?",
          attachments: [
            { file_id: "file_1", name: "contract.pdf", media_type: "application/pdf" },
            { file_id: "file_2", name: "The signed last page.jpg", media_type: "image/jpeg" },
          ],
        })}
        isSuperseded={false}
        onCorrect={nothing}
      />
      <WaitingBubble
        text="And when am I free?"
        note="Will be sent when you’re back"
        problem=""
        remedy={null}
        onRemove={nothing}
      />
      <WaitingBubble
        text="yes"
        note=""
        problem="Not sent: a card waits for an answer"
        remedy={{ label: "Send", do: nothing }}
        onRemove={nothing}
      />
      <AssistantBubble
        isTimed={true}
        message={message({ id: "a1", text: LONG, by: { tier: "reflex", model: "" } })}
        isLast={true}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={true}
        message={message({ id: "a6", text: BLUE, by: { tier: "cloud", model: "gpt-5-mini" } })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={false}
        message={message({ id: "a7", text: BLUE, by: { tier: "local", model: "qwen3:4b" } })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={false}
        message={message({ id: "a2", text: LONG })}
        isLast={false}
        spoken={{ heardChars: 40, mode: "karaoke" }}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={true}
        message={message({ id: "a3", text: LONG, phase: "stopped", heardChars: 60 })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={false}
        message={message({ id: "a8", text: `Checking tomorrow. ${LONG}`, lead: 18 })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={false}
        message={message({ id: "a9", text: `Checking tomorrow. ${LONG}`, lead: 18 })}
        isLast={false}
        spoken={{ heardChars: 40, mode: "karaoke" }}
        onReplay={nothing}
      />
      <p class={list.day}>Yesterday</p>
      <AssistantBubble
        isTimed={true}
        message={message({ id: "a4", text: "Checking tomorrow.", phase: "growing" })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
      <AssistantBubble
        isTimed={true}
        message={message({ id: "a5", text: "", phase: "growing" })}
        isLast={false}
        spoken={null}
        onReplay={nothing}
      />
    </Part>
  );
}

function Work() {
  return (
    <Part name="Work">
      <PlanRail item={PLAN} />
      <PlanRail item={DONE_PLAN} tools={[tool({ id: "t10" })]} />
      <Found tool={MAILS} />
      <Found tool={DAYS} />
      <Found tool={DRAFT} />
      <ToolCard tool={tool({ id: "t1" })} onCancel={nothing} />
      <ToolCard
        tool={tool({ id: "t2", status: "running", endedAt: "", level: "draft", label: "Drafting a reply" })}
        onCancel={nothing}
      />
      <ToolCard
        tool={tool({
          id: "t3",
          status: "queued",
          endedAt: "",
          progress: 0.45,
          message: "63 of 140 mails",
          label: "Summing up your mail",
          jobId: "job_1",
        })}
        onCancel={nothing}
      />
      <ToolCard
        tool={tool({
          id: "t4",
          status: "failed",
          error: "Your calendar could not be reached",
          label: "Looking at Thursday",
        })}
        onCancel={nothing}
      />
      <ToolCard
        tool={tool({ id: "t5", status: "stopped", endedAt: "", label: "Adding the meeting" })}
        onCancel={nothing}
      />
      <ToolCard tool={REMINDER} onCancel={nothing} onUndo={nothing} />
      <ToolCard tool={{ ...REMINDER, id: "t9" }} onCancel={nothing} onUndo={nothing} isUndone />
      <ToolFold tools={[tool({ id: "t6" }), tool({ id: "t7", label: "Looking at tomorrow" })]} onCancel={nothing} />
    </Part>
  );
}

function Cards() {
  return (
    <>
      <Part name="Cards">
        <Card question={EMAIL} />
        <Card question={DOUBTFUL} leftMs={42_000} />
        <Card question={EVENT} />
        <EditedCard question={{ ...EVENT, confirmation_request_id: "cr_10" }} />
        <Card question={MOVE} before={{ words: "Send to Priya Nair?", go: nothing }} />
        <Card question={CANCEL} />
        <Card question={MEMORY} isLive={false} />
        <Card question={LINES} problem="Your answer did not arrive. Please give it again." />
        <ChoiceCard
          names={["Priya Nair (priya@brightloom.example)", "Priya Shah (priya.shah@okafor.example)"]}
          onSay={nothing}
        />
      </Part>
      <Part name="Receipts">
        {RECEIPTS.map((one, at) => (
          <Receipt
            key={at}
            card={one}
            isOurs={at === 3}
            isElsewhere={at === 2}
            unusedIn={() => (at === 2 ? "Thursday works, and I will bring cake." : "")}
            undoing={at === RECEIPTS.length - 1 ? "done" : ""}
            again={at === 7 ? "Reply to Priya that Thursday works" : ""}
            onSay={nothing}
          />
        ))}
      </Part>
    </>
  );
}

/** A turn that waits does not work, and Stop says no to its card. */
function waitsFor(state: TurnState) {
  return state === "awaiting_confirmation" ? { isWorking: false, refusal: "Don’t create" } : {};
}

function Bottom() {
  const seen = {
    isWorking: true,
    refusal: "",
    isLive: true,
    mic: "open" as const,
    style: "auto" as const,
    isHeld: false,
    quietMs: 0,
    isChoosing: false,
    hasKeys: true,
    isVoiceOn: false,
    isStalled: false,
    wasStopped: false,
    sinceMs: 0,
    steps: { done: 2, of: 4 },
  };
  return (
    <>
      <Part name="Status">
        {STATES.map((state) => (
          <StatusStrip
            key={state}
            status={statusOf({ ...seen, ...waitsFor(state), turn: state === "idle" ? null : turn(state) })}
            loud={loud}
            onStop={nothing}
            onHush={nothing}
          />
        ))}
        <StatusStrip
          status={statusOf({ ...seen, turn: turn("speaking"), isVoiceOn: true })}
          loud={loud}
          onStop={nothing}
          onHush={nothing}
        />
        {[
          { mic: "muted" as const },
          { style: "hold" as const },
          { style: "tap" as const },
          { mic: "off" as const, isChoosing: true },
        ].map((change, at) => (
          <StatusStrip
            key={at}
            status={statusOf({ ...seen, turn: null, ...change })}
            loud={loud}
            onStop={nothing}
            onHush={nothing}
          />
        ))}
      </Part>
      <Part name="Link">
        <Header
          title="Thursday meeting"
          link="live"
          roundTripMs={18}
          firstAudioMs={640}
          isRailOpen={false}
          hasInspector={true}
          isWaiting={true}
          onRail={nothing}
          onSettings={nothing}
          onInspector={nothing}
        />
        {(["reconnecting", "offline", "locked", "outdated"] as const).map((link) => (
          <Banner key={link} link={link} words={wordsOf(link, "")} onRetry={nothing} />
        ))}
        <StandIn words="I'm using my backup voice for now." onRead={nothing} />
      </Part>
      <Part name="Notices">
        <Notice
          notice={{ ...NOTICE, words: "Only part of this worked.", again: "" }}
          outcome={{
            done: ["Searching mail", "Drafting a reply"],
            not: ["Adding the meeting"],
            unknown: ["Sending the mail"],
          }}
          onSay={nothing}
        />
        <Notice notice={NOTICE} outcome={null} onSay={nothing} />
      </Part>
      <Part name="Composer">
        <div class={styles.row}>
          {MICS.map((state) => (
            <Mic key={state} state={state} />
          ))}
        </div>
        <AttachmentTray files={FILES} onDrop={nothing} onDescribe={nothing} />
        <Composer
          placeholder="Message Sayso"
          draft={{ key: "a", text: "Tell Priya that Thursday works" }}
          files={[]}
          slowDownUntil={0}
          mic={<Mic state="off" />}
          hint={<span>Enter sends</span>}
          onSend={nothing}
          onDraft={nothing}
          onFiles={nothing}
          onDropFile={nothing}
          onDescribeFile={nothing}
        />
        <div class={styles.row}>
          <Button looks="primary">Send email</Button>
          <Button>Don’t send</Button>
          <Button looks="quiet">Not now</Button>
          <Button looks="danger" isSmall>
            Delete
          </Button>
          <Button isOff>Off</Button>
        </div>
      </Part>
      <Part name="Welcome">
        <Welcome
          isNew={true}
          name="Maya"
          onSay={nothing}
          talk={
            <>
              <Talk mic="off" words="" level={loud} onTalk={nothing} />
              <Talk mic="open" words="Listening" level={loud} onTalk={nothing} />
            </>
          }
          first={
            <FirstRun
              profile={MAYA}
              checks={[
                { words: "Connected", isOk: true },
                { words: "Sayso has no ears here: type", isOk: false },
              ]}
              onSave={async () => ""}
              onSkip={nothing}
              onScreenReader={nothing}
            />
          }
        />
      </Part>
    </>
  );
}

const root = document.getElementById("app");
if (root) {
  render(
    <main class={styles.gallery}>
      <h1>Every part in every state</h1>
      {beside ? (
        beside()
      ) : (
        <>
          <nav class={styles.row} aria-label="Beside the conversation">
            {Object.keys(BESIDE).map((part) => (
              <a key={part} href={`?part=${part}`}>
                {part}
              </a>
            ))}
          </nav>
          <Words />
          <Work />
          <Cards />
          <Bottom />
        </>
      )}
    </main>,
    root,
  );
}
