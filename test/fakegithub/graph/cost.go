package graph

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// Cost is what a query takes of the rate limit, by the formulas of
// https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api:
// a request for each connection of each possible parent, a point for each
// hundred requests; a node for each possible item.
type Cost struct{ Requests, Points, Nodes int }

// MaxNodes is the most nodes a query may ask for.
const MaxNodes = 500_000

func (s *Schema) cost(selections ast.SelectionSet, vars map[string]any) Cost {
	var c Cost
	s.addCost(&c, selections, vars, 1)
	c.Points = max(1, (c.Requests+50)/100)
	return c
}

func (s *Schema) addCost(c *Cost, selections ast.SelectionSet, vars map[string]any, parents int) {
	for _, selection := range selections {
		if !included(selection, vars) {
			continue
		}
		switch f := selection.(type) {
		case *ast.InlineFragment:
			s.addCost(c, f.SelectionSet, vars, parents)
		case *ast.FragmentSpread:
			s.addCost(c, f.Definition.SelectionSet, vars, parents)
		case *ast.Field:
			within := parents
			if f.Definition != nil && isConnection(f.Definition.Type.Name()) {
				size, _ := pageSize(arguments(f, vars))
				c.Requests += parents
				c.Nodes += parents * size
				within *= max(size, 1)
			}
			s.addCost(c, f.SelectionSet, vars, within)
		}
	}
}

// pageSize is the first or last of a connection's arguments.
func pageSize(args map[string]any) (size int, ok bool) {
	for _, name := range []string{"first", "last"} {
		if v, given := args[name]; given && v != nil {
			return integer(v), true
		}
	}
	return 0, false
}
