//! A model in the process, behind the binary. Without the feature `local-model` it says that it
//! has none; with it, a real one answers (`make local`).

use tempfile::TempDir;

use crate::house::run_with;

fn doctor(file: &str) -> String {
    let data = TempDir::new().unwrap();
    let env = [("SAYSO_LISTEN", "127.0.0.1:0"), ("SAYSO_LOCAL_MODEL", file)];
    run_with(&["doctor", "--data", data.path().to_str().unwrap()], &env, "").out
}

#[cfg(not(feature = "local-model"))]
#[test]
fn a_build_without_it_says_how_to_get_it() {
    let told = doctor("/models/small.gguf");
    assert!(told.contains("✗ models     /models/small.gguf is not loaded"), "{told}");
    assert!(told.contains("--features local-model"), "{told}");
}

#[cfg(feature = "local-model")]
mod built {
    use serde_json::json;

    use super::{TempDir, doctor};
    use crate::client::Client;
    use crate::event::{of_kind, one, text};
    use crate::house::{HOME, House};
    use crate::http::get;

    /// What the rules decline.
    const QUESTION: &str = "what is the capital of france";

    fn house(file: &str) -> House {
        let env = vec![
            ("SAYSO_LOCAL_MODEL", file.to_owned()),
            ("SAYSO_MODELS_GGUF_TEMPERATURE_PERCENT", "0".to_owned()),
            ("SAYSO_MODELS_FIRST_SECONDS", "60".to_owned()),
        ];
        House::open_in(TempDir::new().unwrap(), HOME, env)
    }

    #[test]
    fn the_doctor_tells_what_is_wrong_with_a_file() {
        let folder = TempDir::new().unwrap();
        let garbage = folder.path().join("garbage.gguf");
        std::fs::write(&garbage, "<html>").unwrap();
        assert!(doctor("/no/such.gguf").contains("✗ models     /no/such.gguf is not there"));
        let told = doctor(garbage.to_str().unwrap());
        assert!(told.contains("garbage.gguf is no GGUF file"), "{told}");
    }

    #[test]
    fn a_file_that_cannot_be_used_leaves_the_rules_in_charge() {
        let house = house("/no/such.gguf");
        let mut client = Client::new(&house);
        let turn = client.turn(QUESTION);
        assert_eq!(one(&turn, "turn.end")["payload"].get("tier"), None);
        let id = turn[0]["turn_id"].as_str().unwrap();
        let told = get(&house, &format!("/control/turns/{id}")).json();
        assert_eq!(told["fallback"], "model_unusable", "{told}");
        let turn = client.turn("What meetings do I have tomorrow?");
        assert_eq!(one(&turn, "turn.end")["payload"]["outcome"], "success");
    }

    #[test]
    #[ignore = "needs the model that `make local` fetches"]
    fn a_real_model_answers_what_the_rules_decline_and_nothing_leaves_the_process() {
        let file = std::env::var("SAYSO_TEST_LOCAL_MODEL").expect("`make local` names it");
        let house = house(&file);
        let mut client = Client::new(&house);

        let turn = client.turn(QUESTION);

        let said = text(one(&turn, "assistant_text.final"));
        assert!(said.contains("Paris"), "{said}");
        let deltas = of_kind(&turn, "assistant_text.delta");
        assert_eq!(deltas.iter().map(|delta| text(delta)).collect::<String>(), said);
        let ended = &one(&turn, "turn.end")["payload"];
        assert_eq!(ended["tier"], "local", "{ended}");
        let id = turn[0]["turn_id"].as_str().unwrap();
        let told = get(&house, &format!("/control/turns/{id}")).json();
        assert_eq!(told["models"][0]["provider"], "gguf");
        assert_eq!(told["models"][0]["cost_micros"], json!(0), "{told}");
        println!("local model, behind the server: {said}");
    }
}
