Item = Struct.new(:name, :price, :qty, :tags) do
  def total = price * qty
end
inventory = [
  Item.new("Pen", 1.25, 100, %w[office small]),
  Item.new("Desk", 150.0, 3, %w[office furniture]),
  Item.new("Lamp", 35.5, 10, %w[home furniture small]),
]
puts "%-10s %8s %5s %10s" % %w[Item Price Qty Total]
inventory.sort_by { |i| -i.total }.each { |i| puts "%-10s %8.2f %5d %10.2f" % [i.name, i.price, i.qty, i.total] }
puts "-" * 36, "%36.2f" % inventory.sum(&:total)
tags = inventory.each_with_object(Hash.new { |h, k| h[k] = [] }) { |i, h| i.tags.each { |t| h[t] << i.name } }
tags.sort.each { |tag, names| puts "#{tag}: #{names.sort.join(", ")}" }
cheap, dear = inventory.partition { |i| i.price < 50 }
puts cheap.map(&:name).inspect, dear.map(&:name).inspect, inventory.sum(&:qty), inventory.minmax_by(&:price).map(&:name).inspect
low = inventory.select { |i| i.qty < 5 }.map { |i| "reorder #{i.name.downcase}" }
puts low, inventory.find { |i| i.tags.include?("home") }&.name, inventory.group_by { |i| i.tags.size }.transform_values(&:count).sort.inspect
