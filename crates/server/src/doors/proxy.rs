//! Who is behind a proxy.
//!
//! A proxy says in a header where a request came from, and anybody can send such a
//! header. So it is believed of the proxies in the settings alone, and read from its
//! end: what stands there was put there by the proxy that we talk to, what stands
//! before it by whoever that one talked to.

use std::net::{IpAddr, SocketAddr};

use anyhow::Context;
use axum::http::{HeaderMap, HeaderName, header};

use crate::config::{self, ForwardedIn};

/// The proxies that are believed; none, unless the settings name them.
#[derive(Clone, Debug)]
pub struct Proxies {
    trusted: Vec<Network>,
    header: ForwardedIn,
}

/// All addresses that begin alike.
#[derive(Clone, Copy, Debug)]
struct Network {
    address: IpAddr,
    /// How many bits of it count.
    bits: u32,
}

impl Proxies {
    pub fn new(settings: &config::Proxies) -> anyhow::Result<Self> {
        let read = |text: &String| {
            Network::read(text).with_context(|| {
                format!(
                    "`proxies.trusted`: \"{text}\" is neither an address like 10.0.0.7 nor a \
                     network like 10.0.0.0/8"
                )
            })
        };
        let trusted = settings.trusted.iter().map(read).collect::<anyhow::Result<_>>()?;
        Ok(Self { trusted, header: settings.header })
    }

    pub fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted.iter().any(|network| network.has(address))
    }

    /// Where a request comes from that `peer` has brought.
    pub fn behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trust(peer) {
            return peer;
        }
        let mut from = peer;
        for hop in self.hops(headers).iter().rev() {
            // What cannot be read leads no further than to who wrote it.
            let Some(address) = read_hop(hop) else { return from };
            from = address;
            if !self.trust(from) {
                return from;
            }
        }
        from
    }

    /// What the header names, the first proxy's word first.
    fn hops<'a>(&self, headers: &'a HeaderMap) -> Vec<&'a str> {
        let listed = |name: HeaderName| {
            let values = headers.get_all(name).into_iter();
            // A line that is no text hides what stands before it.
            values.flat_map(|value| value.to_str().unwrap_or_default().split(',')).map(str::trim)
        };
        match self.header {
            ForwardedIn::XForwardedFor => {
                listed(HeaderName::from_static("x-forwarded-for")).collect()
            }
            ForwardedIn::Forwarded => listed(header::FORWARDED).map(forwarded_for).collect(),
        }
    }
}

/// Whether some proxy, trusted or not, says that it has handed the request on.
pub fn has_passed_on(headers: &HeaderMap) -> bool {
    headers.contains_key("x-forwarded-for") || headers.contains_key(header::FORWARDED)
}

impl Network {
    fn read(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Self { address, bits })
    }

    fn has(&self, address: IpAddr) -> bool {
        let differs = match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                (ours.to_bits() ^ theirs.to_bits()).leading_zeros()
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => {
                (ours.to_bits() ^ theirs.to_bits()).leading_zeros()
            }
            _ => return false,
        };
        differs >= self.bits
    }
}

/// Of `for="[2001:db8::1]:4711";proto=https` the address; empty where there is none.
fn forwarded_for(hop: &str) -> &str {
    let pairs = hop.split(';').filter_map(|pair| pair.split_once('='));
    let mut named = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    named.next().map_or("", |(_, value)| value.trim().trim_matches('"'))
}

/// An address, with a port or without.
fn read_hop(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|at: SocketAddr| at.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(trusted: &[&str], header: ForwardedIn) -> Proxies {
        let trusted = trusted.iter().map(|one| (*one).to_owned()).collect();
        Proxies::new(&config::Proxies { trusted, header }).unwrap()
    }

    fn behind(proxies: &Proxies, peer: &str, lines: &[(&'static str, &str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        proxies.behind(peer.parse().unwrap(), &headers).to_string()
    }

    const FOR: &str = "x-forwarded-for";

    #[test]
    fn nobody_is_believed_unless_the_settings_say_so() {
        let nobody = proxies(&[], ForwardedIn::XForwardedFor);
        assert_eq!(behind(&nobody, "127.0.0.1", &[(FOR, "203.0.113.9")]), "127.0.0.1");
        let other = proxies(&["10.0.0.7"], ForwardedIn::XForwardedFor);
        assert_eq!(behind(&other, "10.0.0.8", &[(FOR, "203.0.113.9")]), "10.0.0.8");
    }

    #[test]
    fn the_header_is_read_from_its_end_up_to_the_first_stranger() {
        let ours = proxies(&["127.0.0.1", "10.0.0.0/8", "fd00::/8"], ForwardedIn::XForwardedFor);
        for (lines, from) in [
            (&["203.0.113.9"][..], "203.0.113.9"),
            // Whoever comes to our proxy may claim what they like before its own word.
            (&["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            (&["127.0.0.1, 10.1.1.1, 203.0.113.9"], "203.0.113.9"),
            (&["198.51.100.1, 203.0.113.9, 10.2.3.4"], "203.0.113.9"),
            (&["198.51.100.1", "203.0.113.9, fd00::1"], "203.0.113.9"),
            (&["203.0.113.9:4711"], "203.0.113.9"),
            (&["2001:db8::1"], "2001:db8::1"),
            (&["[2001:db8::1]:4711"], "2001:db8::1"),
            (&["::ffff:203.0.113.9"], "203.0.113.9"),
            (&["10.1.1.1, 10.1.1.2"], "10.1.1.1"),
            (&["203.0.113.9, unknown"], "127.0.0.1"),
            (&["203.0.113.9, nonsense, 10.1.1.2"], "10.1.1.2"),
            (&[""], "127.0.0.1"),
            (&[], "127.0.0.1"),
        ] {
            let headers: Vec<_> = lines.iter().map(|line| (FOR, *line)).collect();
            assert_eq!(behind(&ours, "127.0.0.1", &headers), from, "{lines:?}");
        }
    }

    #[test]
    fn only_the_header_in_the_settings_is_read() {
        let lines = [(FOR, "198.51.100.1"), ("forwarded", "for=203.0.113.9;proto=https")];
        let x = proxies(&["10.0.0.7"], ForwardedIn::XForwardedFor);
        assert_eq!(behind(&x, "10.0.0.7", &lines), "198.51.100.1");
        let standard = proxies(&["10.0.0.7"], ForwardedIn::Forwarded);
        assert_eq!(behind(&standard, "10.0.0.7", &lines), "203.0.113.9");
        let quoted = [("forwarded", "for=1.2.3.4, proto=https; For=\"[2001:db8::1]:4711\"")];
        assert_eq!(behind(&standard, "10.0.0.7", &quoted), "2001:db8::1");
        assert_eq!(behind(&standard, "10.0.0.7", &[("forwarded", "for=_secret")]), "10.0.0.7");
    }

    #[test]
    fn what_is_no_network_is_told_by_name() {
        for bad in ["10.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "proxy.example", ""] {
            let trusted = vec![bad.to_owned()];
            let settings = config::Proxies { trusted, ..config::Proxies::default() };
            let error = Proxies::new(&settings).unwrap_err().to_string();
            assert!(error.contains("proxies.trusted"), "{error}");
        }
        let all = proxies(&["0.0.0.0/0"], ForwardedIn::XForwardedFor);
        assert!(all.trust("203.0.113.9".parse().unwrap()));
        assert!(all.trust("::ffff:203.0.113.9".parse().unwrap()));
        assert!(!all.trust("2001:db8::1".parse().unwrap()));
    }
}
