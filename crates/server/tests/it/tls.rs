//! https and wss, with a certificate of one's own.

use std::path::Path;

use tempfile::TempDir;

use crate::doors::key;
use crate::house::{HOME, House, Ran, data, run, run_with};
use crate::say_so::eventually;

/// A certificate for this machine, in two files.
fn certificate(folder: &Path) -> (String, String) {
    let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let (cert, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    (cert.to_str().unwrap().to_owned(), key.to_str().unwrap().to_owned())
}

/// A house that speaks TLS, and the certificate to trust.
fn private(listen: &'static str, more: &[(&'static str, &str)]) -> (House, String) {
    let folder = TempDir::new().unwrap();
    let (cert, secret) = certificate(folder.path());
    let mut env = vec![("SAYSO_TLS_CERT", cert.clone()), ("SAYSO_TLS_KEY", secret)];
    env.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    (House::open_in(folder, listen, env), cert)
}

fn say(house: &House, env: &[(&str, &str)]) -> Ran {
    run_with(&["say", "--server", &house.url(), "What meetings do I have tomorrow?"], env, "")
}

#[test]
fn commands_talk_over_https_and_wss_to_a_certificate_they_trust() {
    let (mut house, cert) = private(HOME, &[]);
    assert!(house.url().starts_with("https://"), "{}", house.url());
    let trusts = [("SSL_CERT_FILE", cert.as_str())];

    let said = say(&house, &trusts);
    let profile = run_with(&["profile", "--server", &house.url()], &trusts, "");

    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(profile.code, 0, "{}", profile.err);
    assert!(house.stop().success());
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_not_talked_to() {
    let (house, _) = private(HOME, &[]);
    let other = TempDir::new().unwrap();
    let (other, _) = certificate(other.path());

    let said = say(&house, &[("SSL_CERT_FILE", &other)]);

    assert_eq!(said.code, 1);
    assert!(said.err.contains("certificate"), "{}", said.err);
}

#[test]
fn a_renewed_certificate_is_used_by_the_running_server_and_a_broken_one_is_not() {
    let (house, cert) = private(HOME, &[]);
    let folder = Path::new(&cert).parent().unwrap();
    let copy = |name: &str| {
        let copy = folder.join(name);
        std::fs::copy(&cert, &copy).unwrap();
        copy.to_str().unwrap().to_owned()
    };
    let first = copy("first.pem");
    let trusting = |cert: &str| say(&house, &[("SSL_CERT_FILE", cert)]).code;
    assert_eq!(trusting(&first), 0);

    certificate(folder);
    let second = copy("second.pem");
    house.ask_to_read_again();
    eventually("the new certificate", || trusting(&second) == 0);
    assert_eq!(trusting(&first), 1);

    std::fs::write(&cert, "-----BEGIN CERTIFICATE-----\nhalf").unwrap();
    house.ask_to_read_again();
    eventually("a warning", || house.log().contains("the new certificate cannot be used"));
    assert_eq!(trusting(&second), 0);
}

#[test]
fn a_plain_caller_hears_nothing_and_does_not_disturb_the_others() {
    let (house, cert) = private(HOME, &[]);
    let plain = house.url().replace("https", "http");
    let _silent = std::net::TcpStream::connect(house.address()).unwrap();

    assert_ne!(run(&["say", "--server", &plain, "hello"]).code, 0);
    assert_eq!(say(&house, &[("SSL_CERT_FILE", &cert)]).code, 0);
}

#[test]
fn with_tls_and_a_key_it_listens_beyond_this_machine_without_a_warning() {
    let folder = TempDir::new().unwrap();
    let (cert, secret) = certificate(folder.path());
    let mine = key(&data(folder.path()), "local", &[]);
    let env = vec![("SAYSO_TLS_CERT", cert.clone()), ("SAYSO_TLS_KEY", secret)];
    let house = House::open_in(folder, "0.0.0.0:0", env);

    let env = [("SSL_CERT_FILE", cert.as_str()), ("SAYSO_KEY", mine.secret.as_str())];
    let said = say(&house, &env);

    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!house.log().contains("without TLS"), "{}", house.log());
}

#[test]
fn files_that_do_not_fit_are_told_at_the_start() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (cert, secret) = certificate(folder.path());
    let (_, stranger) = certificate(other.path());
    let place = data(folder.path());
    let missing = "no/such.pem".to_owned();
    for files in [[&cert, &stranger], [&secret, &secret], [&cert, &cert], [&cert, &missing]] {
        let args = ["serve", "--listen", HOME, "--data", &place, "--tls", files[0], files[1]];
        let ran = run(&args);
        assert_ne!(ran.code, 0, "{files:?}");
        assert!(ran.err.contains(".pem"), "{}", ran.err);
    }
}
