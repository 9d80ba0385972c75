//! The concerns about people that a card can bear, as `Warning::code` spells them.

/// No mail has ever gone to or come from this address.
pub const NEW_RECIPIENT: &str = "new_recipient";
/// It goes by the name of a contact whose address is another one.
pub const OTHER_ADDRESS: &str = "other_address";
/// Its letters can be taken for other ones.
pub const ODD_ADDRESS: &str = "odd_address";
