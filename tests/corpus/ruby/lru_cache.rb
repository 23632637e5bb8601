class LruCache
  def initialize(capacity)
    @capacity = capacity
    @entries = {}
    @hits = @misses = 0
  end

  def [](key)
    return (@misses += 1) && nil unless @entries.key?(key)
    @hits += 1
    @entries[key] = @entries.delete(key)
  end

  def []=(key, value)
    @entries.delete(key)
    @entries[key] = value
    @entries.shift if @entries.size > @capacity
  end

  def stats = "#{@hits} hits, #{@misses} misses, holds #{@entries.keys.join(",")}"
end
cache = LruCache.new(3)
%w[a b c].each_with_index { |k, i| cache[k] = i }
cache["a"]
cache["d"] = 9
puts cache["b"].inspect, cache["a"].inspect, cache.stats
cache["c"] = 7
puts cache["c"], cache.stats
