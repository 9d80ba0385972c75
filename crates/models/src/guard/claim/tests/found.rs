//! What may be told once something was looked up, and what still may not.

use super::*;

/// Something was looked up.
const FOUND: [&str; 20] = [
    "The meeting is booked for 3 pm.",
    "Tom sent it on Monday.",
    "It's booked for 3pm, with Ana.",
    "It was sent on Monday.",
    "The invoice was sent to Ana last week.",
    "Your lunch is scheduled for noon.",
    "Your flight is booked.",
    "You're booked from nine to five.",
    "They're invited to the review.",
    "Booked for three, with Ana.",
    "Sent by Tom on Monday.",
    "The mail went out on Monday.",
    "The meeting has been moved to Friday by Tom.",
    "The review has been cancelled, says Tom.",
    "Tom writes: \"I've sent the contract.\"",
    "Ana says “Hi. I booked the room.” and asks about Friday.",
    "Two mails were sent to you today.",
    "The standup is cancelled.",
    "That was saved in March.",
    "These are archived.",
];

/// And yet nothing was done.
const UNFOUND: [&str; 14] = [
    "I've sent it.",
    "I booked lunch for Friday.",
    "I put it on your calendar.",
    "Done.",
    "Sent!",
    "It is done.",
    "That's taken care of.",
    "You're all set!",
    "Your meeting has been booked.",
    "It's now deleted.",
    "Deleted all three.",
    "Booked it.",
    "Mail sent.",
    "You are free then, so I've booked it.",
];

/// What answers say of mail, of meetings and of what others did.
const ABOUT_OTHERS: [&str; 66] = [
    "Dana cancelled the meeting.",
    "Dana cancelled the meeting and moved it to Friday.",
    "The meeting on Friday was cancelled.",
    "The meeting on Friday is cancelled.",
    "Priya replied yesterday.",
    "Priya replied yesterday and sent you the numbers.",
    "Tom accepted the invitation on Monday.",
    "Your booking is confirmed according to her mail.",
    "Your reservation was confirmed by the restaurant.",
    "Your mail to Ana was sent on Monday at 9.",
    "Your reply went out on Tuesday.",
    "Your last mail to Priya was sent last week.",
    "Your invitation was accepted by Tom.",
    "Your mail is still unanswered.",
    "Your reply is in the drafts.",
    "Your reply to Dana was short and friendly.",
    "Your answer is due by Friday.",
    "Your message to Tom reads well.",
    "Your order is on its way, writes Paperlane.",
    "Dana has your notes from Monday.",
    "Dana has your mail from Monday.",
    "Dana has been in Lisbon since May.",
    "Dana has been told by Tom that you agree.",
    "Tom has been told to bring the slides.",
    "Tom's been told to bring the slides.",
    "Tom has been told that the room is too small, says Priya.",
    "Tom was told that the room is booked.",
    "Tom's been invited to the review.",
    "Tom has been invited to the review.",
    "Tom has been waiting since Monday.",
    "Tom has sent you three mails.",
    "Tom has already answered.",
    "Priya was told by Dana that you are away.",
    "Priya was asked for the numbers.",
    "Priya was on holiday last week.",
    "Priya has moved the review to Friday.",
    "Priya wants an answer by Thursday.",
    "Priya wrote back on Monday.",
    "She sent it to Tom and told him to wait.",
    "She told Tom that you agree.",
    "She answered on Monday and asked for the slides.",
    "They booked the room and invited everybody.",
    "He confirmed Friday at ten.",
    "Two of them were answered, one was not.",
    "The invoice was paid in March.",
    "The invoice is on its way, says Tom.",
    "The mail from Dana was sent on Sunday.",
    "The mail says that the room is booked.",
    "The mail was forwarded to you by Tom.",
    "The review is booked for Friday at ten, with Priya.",
    "The lunch with Ana is scheduled for noon.",
    "The standup was moved to nine.",
    "The reply from Priya came yesterday.",
    "The reply was sent on Monday.",
    "The answer is in her second mail.",
    "The response was sent by Priya last week.",
    "You're booked from nine until five on Friday.",
    "You're booked for lunch with Ana on Friday.",
    "You're booked solid tomorrow.",
    "You're invited to the launch on Friday.",
    "You are scheduled to speak at ten.",
    "You answered her on Monday.",
    "You sent Dana the slides on Tuesday and she thanked you.",
    "Sent to you by Tom on Monday.",
    "Sent to Ana last week.",
    "Meeting moved to Friday, from Tom.",
];

/// That our own words have left, or that something is so from now on, is not found.
const OURS: [&str; 20] = [
    "Reply sent to Dana.",
    "Mail sent to Dana.",
    "Sent to Dana.",
    "Replied to Dana.",
    "Your reply is on its way to Dana.",
    "Your answer is on its way to Dana.",
    "Your mail is on its way.",
    "Your reply was sent to Dana.",
    "Your reply has been sent.",
    "Your message went out a second ago.",
    "The reply was sent.",
    "The reply to Dana has been sent.",
    "You're booked for Friday at 10.",
    "You're booked for 3pm.",
    "You are now booked for Friday at 10.",
    "The meeting on Friday is cancelled now.",
    "The meeting on Friday is now cancelled.",
    "Dana has been informed.",
    "Dana has been notified that you can't come.",
    "Dana has your answer.",
];

#[test]
fn what_others_did_is_told_and_what_we_did_not_is_not() {
    assert_eq!(taken(&ABOUT_OTHERS, Guard::knowing), NONE);
    assert_eq!(passing(&OURS, Guard::knowing), NONE);
}

#[test]
fn what_was_found_is_told_and_what_was_not_done_is_not() {
    assert_eq!(taken(&FOUND, Guard::knowing), NONE);
    assert_eq!(passing(&UNFOUND, Guard::knowing), NONE);
}
