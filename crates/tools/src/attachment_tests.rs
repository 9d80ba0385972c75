//! Questions about a lease, a table and files that cannot be read.

use brain::ids::Uuid;
use brain::paper::Place;
use jiff::Zoned;
use serde_json::json;

use super::*;
use crate::Heard;

const FILE: FileId = FileId(Uuid::from_u128(7));
const MAYA: UserId = UserId(Uuid::from_u128(1));

struct One(Result<Paper, Unread>);

#[async_trait]
impl Papers for One {
    async fn open(
        &self,
        user: UserId,
        file: FileId,
    ) -> Result<Option<Opened>, Box<dyn std::error::Error + Send + Sync>> {
        let attached = Attached {
            file_id: FILE,
            name: "lease.pdf".into(),
            media_type: "application/pdf".into(),
        };
        let is_there = user == MAYA && file == FILE;
        Ok(is_there.then(|| Opened { file: attached, paper: self.0.clone() }))
    }
}

fn lease() -> Paper {
    let pages = [
        "Lease Agreement\nThis lease is between Priya Nair and Maya Lindqvist for the flat at 12 \
         Harbour Street. The lease begins on December 1, 2026 and runs for twelve months.",
        "Rent\nThe rent is $1,450.00 a month. It is due on the first of each month. A late payment \
         costs $40.00.",
        "Ending\nEither side may end the lease with sixty days of notice. Notice must be given in \
         writing by the tenth of a month. Pets are not allowed.",
    ];
    let mut paper = Paper::default();
    paper.extent.pages = Some(3);
    let part = |(number, text): (u32, &&str)| Part {
        place: Place::Page(number),
        text: (*text).to_owned(),
    };
    paper.parts = (1..).zip(&pages).map(part).collect();
    paper
}

fn caller(user: UserId) -> Caller {
    let now: Zoned = "2026-11-16T10:00:00-08:00[America/Los_Angeles]".parse().unwrap();
    let profile = brain::Profile::new("America/Los_Angeles");
    let (idempotency_key, heard) = (String::new(), Heard::default());
    Caller { user, profile, now, idempotency_key, place: None, heard }
}

async fn call(paper: Result<Paper, Unread>, tool: &str, args: Value) -> Result<Value, ToolError> {
    let catalog = add_to(Catalog::new(), Arc::new(One(paper)));
    catalog.get(tool).unwrap().call(args, &caller(MAYA)).await
}

async fn found(query: &str) -> Part {
    let args = json!({ "file_id": FILE.to_string(), "query": query });
    let found = call(Ok(lease()), "attachment.search", args).await.unwrap();
    let found: OpenedFile = serde_json::from_value(found).unwrap();
    found.passages.into_iter().next().unwrap_or(Part { place: Place::Page(0), text: String::new() })
}

#[tokio::test]
async fn a_question_finds_the_sentence_that_answers_it() {
    for (query, page, words) in [
        ("when does the lease begin", 1, "begins on December 1"),
        ("how much is the rent", 2, "$1,450.00"),
        ("when is the rent due", 2, "due on the first"),
        ("the deadline for giving notice", 3, "by the tenth"),
        ("late payments", 2, "late payment"),
        ("pets", 3, "Pets are not allowed"),
    ] {
        let best = found(query).await;
        assert_eq!(best.place, Place::Page(page), "{query}: {}", best.text);
        assert!(best.text.contains(words), "{query}: {}", best.text);
    }
}

#[tokio::test]
async fn what_it_does_not_say_is_not_found() {
    assert_eq!(found("the swimming pool").await.text, "");
    assert_eq!(found("what does it say").await.text, "");
}

#[tokio::test]
async fn a_summary_is_three_sentences_of_its_own_in_their_order() {
    let args = json!({ "file_id": FILE.to_string() });
    let told = call(Ok(lease()), "attachment.read", args).await.unwrap();
    let told: OpenedFile = serde_json::from_value(told).unwrap();
    assert_eq!(told.passages.len(), 3);
    let whole: String = lease().parts.iter().map(|part| part.text.replace('\n', " ")).collect();
    assert!(told.passages.iter().all(|part| whole.contains(&part.text)), "{:?}", told.passages);
    assert_eq!(told.passages[0].place, Place::Page(1));
}

#[tokio::test]
async fn a_page_is_read_and_one_that_is_not_there_is_said_so() {
    let page = async |page: u32| {
        let args = json!({ "file_id": FILE.to_string(), "page": page });
        let told = call(Ok(lease()), "attachment.read", args).await.unwrap();
        serde_json::from_value::<OpenedFile>(told).unwrap()
    };
    assert!(page(2).await.passages[0].text.starts_with("Rent"));
    assert!(page(9).await.no_such_page);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_a_result_with_its_sentence() {
    let problem = "That PDF is protected with a password.".to_owned();
    let args = json!({ "file_id": FILE.to_string() });
    let told = call(Err(Unread::Because(problem.clone())), "attachment.read", args).await.unwrap();
    assert_eq!(told["problem"], problem);
}

#[tokio::test]
async fn a_file_that_is_still_being_read_is_handed_on_with_what_was_asked() {
    let args = json!({ "file_id": FILE.to_string(), "query": "rent" });
    let told = call(Err(Unread::NotYet), "attachment.search", args).await;
    let Err(ToolError::TakesLonger(longer)) = told else { panic!("{told:?}") };
    assert_eq!(longer.job, READ_THROUGH);
    let asked = json!({ "file_id": FILE.to_string(), "query": "rent", "name": "lease.pdf" });
    assert_eq!(longer.args, asked);
    assert_eq!(longer.taken_on["problem"], TAKEN_ON);
    assert_eq!(longer.left["problem"], LEFT);
}

#[tokio::test]
async fn somebody_elses_file_is_not_there() {
    let catalog = add_to(Catalog::new(), Arc::new(One(Ok(lease()))));
    let other = caller(UserId(Uuid::from_u128(2)));
    for (tool, args) in [
        ("attachment.read", json!({ "file_id": FILE.to_string() })),
        ("attachment.search", json!({ "file_id": FILE.to_string(), "query": "rent" })),
    ] {
        let refused = catalog.get(tool).unwrap().call(args, &other).await;
        assert!(matches!(refused, Err(ToolError::NotFound { .. })), "{refused:?}");
    }
}

#[test]
fn arguments_are_checked_before_anything_is_opened() {
    let catalog = add_to(Catalog::new(), Arc::new(NoPapers));
    let id = FILE.to_string();
    for (tool, args) in [
        ("attachment.read", json!({ "file_id": "lease.pdf" })),
        ("attachment.read", json!({ "file_id": id, "page": 0 })),
        ("attachment.search", json!({ "file_id": id, "query": "?" })),
        ("attachment.search", json!({ "file_id": id, "query": "a", "max_results": 99 })),
    ] {
        assert!(catalog.get(tool).unwrap().accepts(&args).is_err(), "{tool} {args}");
    }
}

#[tokio::test]
async fn what_hides_in_a_text_is_not_told() {
    let mut paper = lease();
    paper.parts[0].text = "Pay\u{202e}ment of \u{200b}rent is due today by five.".into();
    let args = json!({ "file_id": FILE.to_string(), "query": "due today" });
    let told = call(Ok(paper), "attachment.search", args).await.unwrap();
    assert_eq!(told["passages"][0]["text"], "Payment of rent is due today by five.");
}
