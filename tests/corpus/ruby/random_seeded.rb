srand(42)
a = Array.new(5) { rand(100) }
srand(42)
puts a == Array.new(5) { rand(100) }, a.inspect
r = Random.new(7)
puts r.rand(1000), r.rand.round(6), r.bytes(3).bytesize, r.seed, [1, 2, 3, 4, 5].shuffle(random: Random.new(1)).inspect, [1, 2, 3].sample(random: Random.new(3))
puts rand.between?(0, 1), rand(1..6).between?(1, 6), Random.rand(3) < 3, r.rand(1.0..2.0).between?(1, 2)
