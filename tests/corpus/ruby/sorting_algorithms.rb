def quicksort(list)
  return list if list.size < 2
  pivot, *rest = list
  left, right = rest.partition { |x| x < pivot }
  quicksort(left) + [pivot] + quicksort(right)
end

def merge_sort(list)
  return list if list.size < 2
  a, b = list.each_slice((list.size / 2.0).ceil).map { |half| merge_sort(half) }
  out = []
  out << (a.first <= b.first ? a : b).shift while !a.empty? && !b.empty?
  out + a + b
end

def bubble(list)
  list = list.dup
  loop do
    swapped = false
    (list.size - 1).times do |i|
      next if list[i] <= list[i + 1]
      list[i], list[i + 1] = list[i + 1], list[i]
      swapped = true
    end
    break list unless swapped
  end
end
data = (1..60).map { |i| (i * 7919) % 101 }
puts quicksort(data) == data.sort, merge_sort(data) == data.sort, bubble(data) == data.sort
puts quicksort(%w[pear apple fig]).inspect, data.sort { |a, b| b <=> a }.first(3).inspect
