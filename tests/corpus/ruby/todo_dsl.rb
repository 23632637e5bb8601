# A to-do list by a DSL, kept in YAML and PStore.
require "yaml"
require "pstore"
require "forwardable"
require "time"

class TodoList
  include Enumerable
  extend Forwardable
  def_delegators :@items, :size, :empty?, :<<

  Item = Struct.new(:title, :done, :tags, :due) do
    def to_s = "[#{done ? "x" : " "}] #{title}#{tags.map { |t| " ##{t}" }.join}#{due && due.strftime(" (%d %b)")}"
  end

  def self.build(&block) = new.tap { |list| list.instance_eval(&block) }

  def initialize(items = []) = @items = items

  def todo(title, *tags, due: nil, done: false)
    self << Item.new(title, done, tags, due && Time.parse(due + " UTC"))
  end

  def each(&block) = @items.each(&block)

  def method_missing(name, *args)
    return select { |item| item.tags.include?(name[0..-2].to_sym) } if name.end_with?("?")
    super
  end

  def respond_to_missing?(name, all = false) = name.end_with?("?") || super
end

list = TodoList.build do
  todo "write tests", :work, :urgent, due: "2024-05-01"
  todo "buy milk", :home, done: true
  todo "call Ann", :home, due: "2024-04-28"
end
puts list.map(&:to_s), list.size, list.home?.map(&:title).inspect
puts list.sort_by { |i| [i.done ? 1 : 0, i.due || Time.at(0)] }.first
p list.reduce(0) { |n, i| n + i.tags.size }, list.each_with_index.map { |i, n| "#{n}:#{i.title[0]}" }, list.min_by { |i| i.title.size }.title
p list.lazy.reject(&:done).map(&:title).first(1), list.each_slice(2).map(&:size), list.include?(nil), list.entries.size
begin
  list.undone
rescue NoMethodError => e
  puts e.class, e.name.inspect
end
yaml = list.map { |i| { "title" => i.title, "tags" => i.tags.map(&:to_s), "due" => i.due&.iso8601 }.compact }.to_yaml
puts yaml
p YAML.safe_load(yaml).first.to_a, YAML.load("a: 1\nb: [x, ~, 2.5, yes]\nc: >\n  one\n  two\n").to_a
store = PStore.new("todo.pstore")
store.transaction { store[:titles] = list.map(&:title) }
store.transaction do
  store[:titles] << "lost"
  store.abort
end
p store.transaction(true) { store[:titles].size }
File.write("todo.txt", list.map(&:to_s).join("\n"))
File.open("todo.txt") do |f|
  p f.gets, f.lineno, f.readline(chomp: true), f.pos, f.eof?, f.read.size, f.eof?
  f.rewind
  p f.each_line.map(&:size), f.gets
end
p File.foreach("todo.txt").grep(/home/).size, Dir["*.{txt,pstore}"].sort
