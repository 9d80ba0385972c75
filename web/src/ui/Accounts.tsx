/** Whose mail and calendar Sayso works with, and what becomes of what is written there. */
import type { Account } from "../house.ts";
import { Icon } from "./Icon.tsx";
import styles from "./Sheet.module.css";
import { Group } from "./Sheet.tsx";

const KINDS = {
  mail: { name: "Mail", icon: "mail", one: "mail", many: "mails", box: "mailbox" },
  calendar: { name: "Calendar", icon: "event", one: "event", many: "events", box: "calendar" },
} as const;

export function Accounts({ accounts }: { accounts: readonly Account[] }) {
  const known = accounts.filter(({ kind }) => Object.hasOwn(KINDS, kind));
  return (
    <Group title="Accounts">
      {known.map((account) => (
        <Row key={account.kind} account={account} />
      ))}
      <p class={styles.settingNote}>
        {known.length ? "" : "Sayso has no mail and no calendar here. "}
        This server cannot be connected to accounts elsewhere yet.
      </p>
    </Group>
  );
}

function Row({ account }: { account: Account }) {
  const { kind, address } = account;
  return (
    <div class={styles.setting} data-account={kind}>
      <div class={styles.settingWords}>
        <span class={styles.accountName}>
          <Icon name={KINDS[kind].icon} size={16} /> {KINDS[kind].name}
          {address && <span class={styles.accountAddress}>{address}</span>}
        </span>
        <p>{whereabouts(account)}</p>
        <p>{reach(account)}</p>
      </div>
    </div>
  );
}

function whereabouts({ kind, place, sample, holds }: Account): string {
  const { one, many, box } = KINDS[kind];
  const where = place === "this_server" ? "on the machine Sayso runs on" : `at ${place.replaceAll("_", " ")}`;
  const what = sample ? `Sample ${box}` : box[0]?.toUpperCase() + box.slice(1);
  return `${what} ${where}, ${holds ? `${holds.toLocaleString()}\u00a0${holds === 1 ? one : many}` : "empty"}.`;
}

/** What a yes really does. */
function reach({ kind, reaches_others }: Account): string {
  if (kind === "mail") {
    return reaches_others ? "What you send goes out." : "What you send is filed as sent; it reaches nobody.";
  }
  return reaches_others ? "Whoever you invite is told." : "Events are kept there; nobody you invite is told.";
}
