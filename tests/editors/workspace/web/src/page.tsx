import { Basket, price as cost } from "./prices";

export function fill(names: string[], other: any): Basket {
  const basket = new Basket();
  for (const name of names) {
    basket.add(name);
  }
  other.add("unknown");
  return basket;
}

export function Label(props: { name: string }) {
  return <b>Grüße 😀 {cost(props.name)}</b>;
}
