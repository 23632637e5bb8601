require "erb"
items = [["a", 1], ["b <&>", 2]]
template = ERB.new(<<~T, trim_mode: "-")
  <ul>
  <%- items.each do |name, n| -%>
    <li><%= ERB::Util.h(name) %>: <%= n %></li>
  <%- end -%>
  </ul>
  <%# comment %>Total <%= items.sum { |_, n| n } %>
T
puts template.result(binding), ERB.new("x<%= y %>z").result_with_hash(y: 5)
