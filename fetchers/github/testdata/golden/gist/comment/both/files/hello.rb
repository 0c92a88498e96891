puts 'hello'
