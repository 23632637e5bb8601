# A seeded simulation: a dungeon as a graph, fights, and a score table.
Room = Struct.new(:name, :exits, :loot)
Monster = Struct.new(:name, :hp, :attack) do
  def alive? = hp.positive?
  def hit(n) = self.hp = [hp - n, 0].max
end

class Dungeon
  attr_reader :log

  def initialize(seed)
    @random = Random.new(seed)
    @log = []
    names = %w[hall crypt library kitchen tower vault]
    @rooms = names.to_h { |n| [n, Room.new(n, [], @random.rand(50))] }
    names.each_cons(2) { |a, b| link(a, b) }
    3.times { link(*names.sample(2, random: @random)) }
  end

  def link(a, b)
    return if @rooms[a].exits.include?(b)
    @rooms[a].exits << b
    @rooms[b].exits << a
  end

  def path(from, to)
    queue, seen = [[from]], { from => true }
    until queue.empty?
      way = queue.shift
      return way if way.last == to
      @rooms[way.last].exits.sort.each do |room|
        next if seen[room]
        seen[room] = true
        queue << way + [room]
      end
    end
  end

  def fight(hero, monster)
    fighters = [hero, monster].cycle
    attacker = fighters.next
    while hero.alive? && monster.alive?
      target = fighters.next
      target.hit(attacker.attack + @random.rand(1..6))
      @log << "#{attacker.name}>#{target.name}:#{target.hp}"
      attacker = target
    end
    hero.alive?
  end

  def loot = @rooms.values.sum(&:loot)
end

dungeon = Dungeon.new(2024)
puts dungeon.path("hall", "vault").join(" -> "), dungeon.loot
hero = Monster.new("hero", 40, 5)
results = %w[rat troll dragon].each_with_index.map { |name, i| [name, dungeon.fight(hero, Monster.new(name, 8 * (i + 1)**2, i * 3))] }
p results, hero.hp
puts dungeon.log.each_slice(6).map { |row| row.join("  ") }
board = Array.new(5) { Array.new(9, ".") }
r = Random.new(7)
12.times { board[r.rand(5)][r.rand(9)] = "#" }
puts board.map(&:join)
life = board.map { |row| row.map { |c| c == "#" } }
2.times do
  life = life.each_with_index.map do |row, y|
    row.each_with_index.map do |alive, x|
      near = [-1, 0, 1].product([-1, 0, 1]).count { |dy, dx| (dy != 0 || dx != 0) && life[(y + dy) % 5][(x + dx) % 9] }
      near == 3 || (alive && near == 2)
    end
  end
end
puts life.map { |row| row.map { |c| c ? "#" : "." }.join }
scores = { "Ann" => [3, 9], "Bob" => [7], "Cid" => [] }
scores.transform_values { |s| s.empty? ? 0 : s.sum / s.size.to_f }.sort_by { |n, s| [-s, n] }.each.with_index(1) do |(name, score), rank|
  puts "#{rank}. #{name.ljust(5, ".")}#{score.to_s.rjust(6)}"
end
puts [3, 1, 2].permutation(2).select { |a, b| a > b }.inspect, %w[b a].product([1, 2]).inspect, (1..4).inject { |a, b| a * b }
