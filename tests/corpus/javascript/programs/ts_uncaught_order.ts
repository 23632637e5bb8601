interface Order {
  id: string;
  items: { sku: string; qty: number }[];
}

enum Status {
  Open = "OPEN",
  Closed = "CLOSED",
}

class OrderError extends Error {
  constructor(
    message: string,
    public readonly order: Order,
    private readonly code = 42,
  ) {
    super(message);
    this.name = "OrderError";
  }
}

function process(order: Order): Status {
  if (order.items.length === 0) {
    throw new OrderError("empty", order);
  }
  return Status.Open;
}

console.log(process({ id: "a", items: [{ sku: "s", qty: 1 }] }));
console.log(process({ id: "b", items: [] }));
