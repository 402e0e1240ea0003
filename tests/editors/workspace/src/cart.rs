use crate::store::load;
use crate::store::load as fetch;

pub fn buy(name: &str) -> u32 {
    let greeting = "Grüße 😀"; let item = load(name);
    item.total(greeting.len() as u32)
}

pub fn peek() -> u32 {
    fetch("apple").price + fetch("pear").price
}

pub fn checkout() -> u32 {
    buy("apple") + peek()
}
