pub struct Item {
    pub name: String,
    pub price: u32,
}

pub fn load(name: &str) -> Item {
    let price = if name.is_empty() { 0 } else { 1 };
    Item { name: name.to_string(), price }
}

impl Item {
    pub fn total(&self, count: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        self.price * count
    }
}

pub fn countdown(from: u32) -> u32 {
    if from == 0 { 0 } else { countdown(from - 1) }
}

pub trait Priced {
    fn cost(&self) -> u32;
}

impl Priced for Item {
    fn cost(&self) -> u32 {
        self.total(1)
    }
}

pub struct Gift;

impl Priced for Gift {
    fn cost(&self) -> u32 {
        0
    }
}

pub fn bill(all: &[Box<dyn Priced>]) -> u32 {
    let mut sum = 0;
    for each in all {
        sum += each.cost();
    }
    sum
}
