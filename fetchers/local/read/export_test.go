package read

import "context"

// Within reads a file as Read does, its deadline being the end of ctx.
func Within(ctx context.Context, s Source) (Content, error) {
	k, err := kindOf(ctx, s)
	if err != nil {
		return Content{}, err
	}
	return Readers{}.read(ctx, k, s)
}
