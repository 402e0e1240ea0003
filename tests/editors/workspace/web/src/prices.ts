export function price(name: string): number {
  if (name === "") {
    return 0;
  }
  return name.length;
}

export class Basket {
  private sum = 0;

  add(name: string): void {
    this.sum += price(name);
  }
}
