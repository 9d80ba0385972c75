//! Times as models like to write them, with an offset and no zone, put into the person's own.
//! Pure.

use jiff::Timestamp;
use jiff::Zoned;
use jiff::tz::TimeZone;
use serde_json::Value;

/// The arguments that are times.
const TIMES: [&str; 3] = ["start", "end", "due_at"];

/// Puts a zone to every time that names an instant: "2026-11-25T12:00:00Z". What has a zone, and
/// what is no time at all, stays as it is.
pub(super) fn with_zone(args: &mut Value, zone: &TimeZone) {
    let Some(fields) = args.as_object_mut() else { return };
    for (name, field) in fields {
        match field {
            Value::String(text) if TIMES.contains(&name.as_str()) => {
                if let Some(at) = instant(text) {
                    *text = at.to_zoned(zone.clone()).to_string();
                }
            }
            Value::Object(_) => with_zone(field, zone),
            _ => {}
        }
    }
}

fn instant(text: &str) -> Option<Timestamp> {
    let has_zone = text.parse::<Zoned>().is_ok();
    text.parse().ok().filter(|_| !has_zone)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_time_with_an_offset_is_that_instant_where_the_person_is() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let put = |start: &str| {
            let mut args = json!({ "title": "Lunch", "date_range": { "start": start } });
            with_zone(&mut args, &zone);
            args["date_range"]["start"].as_str().unwrap().to_owned()
        };
        let noon = "2026-11-25T12:00:00+01:00[Europe/Berlin]";
        for told in ["2026-11-25T12:00:00+01:00", "2026-11-25T11:00:00Z", "2026-11-25T11:00:00.0Z"]
        {
            assert_eq!(put(told), noon, "{told}");
        }
        for told in [noon, "2026-11-25T12:00:00", "tomorrow at 3", ""] {
            assert_eq!(put(told), told, "it is left to whoever reads it");
        }
        let mut mail = json!({ "subject": "2026-11-25T11:00:00Z" });
        with_zone(&mut mail, &zone);
        assert_eq!(mail["subject"], "2026-11-25T11:00:00Z");
    }
}
