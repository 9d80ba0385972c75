//! What is joined to what I did before, and what somebody else has done.

use super::*;

/// Nothing was done, whether something was looked up or not.
const CLAIMS: [&str; 35] = [
    "I drafted it and sent it to her too.",
    "I wrote back and sent it to her.",
    "I wrote back to Dana.",
    "I looked it up and replied to Dana.",
    "I looked it up and replied.",
    "I looked at it, then answered her.",
    "I found her mail and answered it for you.",
    "I found her mail, answered it and told her yes.",
    "I checked your mail and emailed Dana that you agree.",
    "I checked your calendar and then booked it.",
    "I read her mail and put it on your calendar.",
    "I've read it and I've replied.",
    "I have looked it up and let Dana know.",
    "I went through your mail and forwarded it to Tom.",
    "I opened the invitation and accepted it.",
    "I picked a time and confirmed it with Dana.",
    "I reviewed your week and moved the review to Friday.",
    "Found it, told her yes.",
    "Found her mail and answered it.",
    "Looked it up and sent it to Dana.",
    "I took the liberty of confirming with Dana.",
    "I took the liberty of replying.",
    "I told Dana that you agree.",
    "I answered Dana.",
    "I reached out to Dana.",
    "I'll look it up and send it to Dana.",
    "I'm looking it up and sending it to Dana now.",
    "We found it and cancelled it.",
    "Sure, I found it and deleted it.",
    "I found the mail from Priya and archived it.",
    "I drafted a short reply and saved it for you.",
    "I found a slot on Friday and invited Tom.",
    "Dana now has your answer.",
    "Dana has been told that you agree.",
    "Dana was told that you agree.",
];

/// Nobody says that we did anything.
const FACTS: [&str; 38] = [
    "I found three mails and two events.",
    "I found mails from Ana, Tom and Priya.",
    "I looked through your inbox and sent mail and found nothing.",
    "I checked your inbox, sent items and drafts.",
    "I found two meetings and cancelled events from last week.",
    "I found her mail, sent on Monday by Tom.",
    "I found two invoices from Paperlane, both paid in March.",
    "I read the mail Dana sent and forwarded to you.",
    "I see that Dana cancelled the meeting and moved it to Friday.",
    "I found that Tom read it and replied.",
    "I found a mail in which Priya moved the review and invited Tom.",
    "I noticed Tom moved it and sent a mail.",
    "I checked, and Dana sent it on Monday.",
    "I looked at what Dana sent and what she wants.",
    "I added the numbers and moved the decimal point.",
    "I read your note and changed the wording a little.",
    "I found it and it is short.",
    "I looked it up and found two.",
    "I looked it up and here is what she wants.",
    "I can look it up and send it.",
    "I can look it up and put it on your calendar.",
    "I could draft it and send it once you say yes.",
    "I'll look it up and tell you.",
    "I'll draft it and send it once you say yes.",
    "I'll look it up and let you know.",
    "I'm looking it up and reading it for you.",
    "I haven't looked and sent nothing.",
    "I looked it up but sent nothing.",
    "I told you that it closes at five.",
    "I answered your question above.",
    "I wrote a short reply you can send.",
    "I wrote three lines and kept them friendly.",
    "Put it in the oven and set a timer.",
    "Read it twice and put it away.",
    "Caesar was told to beware the Ides of March.",
    "Galileo was informed of the verdict in Rome.",
    "You could say: \"I looked it up and sent it to Tom.\"",
    "Dear Tom,\nI looked it up and sent it to Dana.",
];

#[test]
fn every_verb_that_is_joined_to_mine_is_judged() {
    assert_eq!(passing(&CLAIMS, Guard::default), NONE);
    assert_eq!(passing(&CLAIMS, Guard::knowing), NONE);
}

#[test]
fn what_is_joined_and_no_deed_is_said_as_it_is() {
    assert_eq!(taken(&FACTS, Guard::default), NONE);
    assert_eq!(taken(&FACTS, Guard::knowing), NONE);
}
