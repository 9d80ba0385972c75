//! Sending mail from the mailbox on this machine.

use async_trait::async_trait;
use brain::card::{EmailPreview, Field, FieldKind, Preview, Warning};
use brain::facts::{Letter, Person, Sent};
use brain::{ActionLevel, SaySo};
use jiff::SignedDuration;
use serde_json::Value;

use crate::args::{fields, schema_of};
use crate::local::Personal;
use crate::local::outbox::AtHand;
use crate::local::people::{Known, recipients, warnings};
use crate::local::written::Once;
use crate::mail::reply;
use crate::mail::writing::{Outgoing, Send, label_of_send};
use crate::text;
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const NAME: &str = "gmail.send";
const LONGEST_SUBJECT: usize = 300;

/// Sends a mail, once somebody has said yes to exactly that mail.
pub struct SendMail(pub Personal);

#[async_trait]
impl Tool for SendMail {
    fn name(&self) -> &'static str {
        NAME
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Send a mail, or a draft by its draft_id; what is left out then comes from the draft. \
         The person sees all of it first and has to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Send>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Sent>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Send::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_send(args)
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for SendMail {
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let send = Send::read(&args).map_err(ToolError::BadArguments)?;
        let Some(from) = caller.profile.address.clone() else {
            let reason = "I don't know your own address yet".to_owned();
            return Err(ToolError::Refused { tool: NAME, reason });
        };
        let hand = self.0.at_hand(caller.user, send.clone(), Some(from.clone())).await;
        let hand = hand.map_err(|error| error.of(NAME))?;
        let mail = filled(send, &hand, from).tidied();
        mail.check().map_err(ToolError::BadArguments)?;
        let addresses = mail.recipients().cloned().collect();
        let known = self.0.known(caller.user, addresses, hand.thread.clone()).await;
        Ok(shown(mail, hand, &known.map_err(|error| error.of(NAME))?))
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let mail = Outgoing::read(&args).map_err(ToolError::BadArguments)?;
        agreed(NAME, &args, caller, say_so)?;
        let once = Once::new(NAME, &args, caller);
        let sent = self.0.send_mail(once, mail, caller.profile.name.clone()).await;
        sent.map_err(|error| error.of_write(NAME))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(NAME, args, caller)).await.map_err(|error| error.of(NAME))
    }

    async fn keep(&self, args: &Value, caller: &Caller) -> Result<bool, ToolError> {
        let mail = Outgoing::read(args).map_err(ToolError::BadArguments)?;
        let once = Once::new(NAME, args, caller);
        let kept = self.0.keep_draft(once, mail, caller.profile.name.clone()).await;
        kept.map(|_| true).map_err(|error| error.of(NAME))
    }

    /// None: what one transaction has put into the file is there for the next
    /// reader, and a try that comes late finds its own key.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

/// What is left open comes from the draft, then from the mail that is answered.
fn filled(send: Send, hand: &AtHand, from: String) -> Outgoing {
    let draft = hand.draft.as_ref();
    let addresses = |people: &[Person]| people.iter().map(|one| one.address.clone()).collect();
    let of_draft = |pick: fn(&Letter) -> &[Person]| {
        draft.map(|draft| addresses(pick(&draft.message))).unwrap_or_default()
    };
    let subject = || match (draft, &hand.answered) {
        (Some(draft), _) => text::one_line(&draft.message.subject, LONGEST_SUBJECT),
        (None, Some(answered)) => reply::subject(&answered.subject),
        (None, None) => String::new(),
    };
    Outgoing {
        from,
        to: send.to.unwrap_or_else(|| of_draft(|letter| &letter.to)),
        cc: send.cc.unwrap_or_else(|| of_draft(|letter| &letter.cc)),
        subject: send.subject.unwrap_or_else(subject),
        body: send.body.or(draft.map(|draft| draft.body_text.clone())).unwrap_or_default(),
        thread_id: hand.thread_id.clone(),
        in_reply_to: hand.answered.as_ref().map(|answered| answered.message_id.clone()),
        draft_id: send.draft_id,
    }
}

fn shown(mail: Outgoing, hand: AtHand, known: &[Known]) -> Prepared {
    let (to, cc) = known.split_at(mail.to.len());
    let answers = |answered: &Letter| {
        let about = text::one_line(&answered.subject, LONGEST_SUBJECT);
        format!("{}, {about}", text::one_line(answered.from.called(), 80))
    };
    let title = if hand.answered.is_some() { "Send this reply?" } else { "Send this mail?" };
    let payload = fields(&mail);
    let preview = EmailPreview {
        from: Some(mail.from),
        to: recipients(to),
        cc: recipients(cc),
        subject: mail.subject,
        body_text: mail.body,
        in_reply_to: hand.answered.as_ref().map(answers),
        has_draft: hand.draft.is_some(),
    };
    let mut concerns = warnings(known);
    if preview.subject.is_empty() {
        let text = "It has no subject".to_owned();
        concerns.insert(0, Warning { code: "no_subject".to_owned(), text });
    }
    Prepared {
        action_type: "send_email",
        title: title.to_owned(),
        payload,
        preview: Preview::Email(Box::new(preview)),
        editable: editable(),
        warnings: concerns,
        thread: hand.thread.into_iter().map(|person| person.address).collect(),
    }
}

fn editable() -> Vec<Field> {
    let field =
        |name: &str, label: &str, kind| Field { name: name.into(), label: label.into(), kind };
    vec![
        field("to", "To", FieldKind::People),
        field("cc", "Cc", FieldKind::People),
        field("subject", "Subject", FieldKind::Text),
        field("body", "Text", FieldKind::Paragraphs),
    ]
}
