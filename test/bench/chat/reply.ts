/** Number of tokens in the long reply, and their rate (budget "Chat"). */
export const tokenCount = 20_000;
export const tokensPerSecond = 2000;

const createReplySection = (n: number) => `## Part ${n}

The rows are grouped by \`key\`, and then **summed**, which takes one pass over them; see [the notes](https://docs.example/${n}) for why. Nothing is kept but the sums.

- first the reader takes a *line* apart
- then the grouping finds its bucket, or makes one
  - which is a map from text to number
- last the writer puts them in order

\`\`\`typescript
// part ${n}
export function group${n}(rows: readonly Row[]): Map<string, number> {
	const sums = new Map<string, number>();
	for (const { key, value } of rows) {
		sums.set(key, (sums.get(key) ?? 0) + value * ${n});
	}
	return sums;
}
\`\`\`

| step | cost | share |
|---|--:|--:|
| read | ${n} ms | 10 % |
| group | ${n * 2} ms | 60 % |
| write | ${n * 3} ms | 30 % |

> What is measured is what a user waits for.

`;

/** Returns the long reply in tokens of about four characters: prose, lists, highlighted code and tables. */
export function createReplyTokens(): string[] {
	const tokens: string[] = [];
	for (let n = 1; tokens.length < tokenCount; n++) {
		tokens.push(...(createReplySection(n).match(/\s*\S{1,4}|\s+$/g) ?? []));
	}
	return tokens.slice(0, tokenCount);
}
