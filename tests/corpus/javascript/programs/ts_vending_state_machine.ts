type State = "idle" | "selecting" | "paying" | "dispensing";
type Event =
  | { type: "SELECT"; code: string }
  | { type: "COIN"; cents: number }
  | { type: "CANCEL" };
interface Product { name: string; price: number; stock: number }
interface Context { selected?: string; paid: number; log: string[] }
class VendingMachine {
  private state: State = "idle";
  private context: Context = { paid: 0, log: [] };
  private readonly products: ReadonlyMap<string, Product>;
  constructor(products: Record<string, Product>) { this.products = new Map(Object.entries(products)); }
  send(event: Event): State {
    switch (event.type) {
      case "SELECT": {
        const product = this.products.get(event.code);
        if (!product) return this.note(`no product ${event.code}`);
        if (product.stock === 0) return this.note(`${product.name} sold out`);
        this.context = { ...this.context, selected: event.code };
        return this.to("paying");
      }
      case "COIN": {
        this.context.paid += event.cents;
        const product = this.products.get(this.context.selected ?? "");
        if (!product || this.context.paid < product.price) return this.note(`paid ${this.context.paid}`);
        product.stock--;
        this.to("dispensing");
        const change = this.change(this.context.paid - product.price);
        this.context = { paid: 0, log: [...this.context.log, `vend ${product.name}, change ${JSON.stringify(change)}`] };
        return this.to("idle");
      }
      case "CANCEL": return this.note(`refund ${this.context.paid}`), (this.context.paid = 0), this.to("idle");
    }
  }
  private change(amount: number, coins = [100, 50, 20, 10, 5] as const): Partial<Record<number, number>> {
    const out: Partial<Record<number, number>> = {};
    for (const c of coins) { const n = Math.floor(amount / c); if (n > 0) { out[c] = n; amount -= n * c; } }
    return out;
  }
  private note(text: string): State { this.context.log.push(text); return this.state; }
  private to(s: State): State { this.context.log.push(`${this.state} -> ${s}`); return (this.state = s); }
  get history(): readonly string[] { return this.context.log; }
}
const m = new VendingMachine({ A1: { name: "Crisps", price: 130, stock: 1 }, B2: { name: "Gum", price: 45, stock: 5 } });
const events: Event[] = [{ type: "SELECT", code: "Z9" }, { type: "SELECT", code: "A1" }, { type: "COIN", cents: 100 }, { type: "COIN", cents: 100 }, { type: "SELECT", code: "A1" }, { type: "SELECT", code: "B2" }, { type: "COIN", cents: 20 }, { type: "CANCEL" }];
console.log(events.map((e) => m.send(e)));
console.log(m.history);
console.log(m);
console.dir(m, { depth: 4 });
