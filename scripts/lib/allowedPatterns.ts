/** Patterns that can be slow in theory, by file and pattern, with the reason why no text makes them slow. */
export const allowedPatterns: Readonly<Record<string, string>> = {
	'src/agentFile/writing/fieldWriter.ts /(?:^|[\\s,[{:-])(![^\\s,[\\]{}]*[ \\t]+)(?:&\\S+[ \\t]+)?$/': 'Reads 300 characters.',
	'src/gateway/debug/expressionValues.ts /\\bnodes\\b(?!\\s*(\\?\\.)?\\s*(\\.\\s*[\\w$]+(?![\\w$\\\\])|\\[\\s*("[^"\\\\]*"|\'[^\'\\\\]*\'|`[^`\\\\$]*`)\\s*\\]))/':
		'Reads expressions of at most 10,000 characters, by the user who debugs.',
	'src/gateway/knowledge/index/segments.ts /(?<=[.!?。！？]\\s*|\\n)\\S/': 'Reads the end of a segment, some hundred characters.',
	'src/models/offline/offlineTokens.ts /\\s*\\S{1,6}|\\s+$/gu': 'Always matches: after white space comes another character or the end.',
};

/** Files that build patterns at run time, with the reason why foreign text can't make one slow. */
export const builtPatterns: Readonly<Record<string, string>> = {
	'src/agentFile/writing/movedValues.ts': 'A line end and a limited number of spaces.',
	'src/editor/agents/editing/enterRules.ts': 'Fixed texts, which the editor tries on the line that is typed.',
	'src/gateway/agents/secretMarks.ts': 'Fixed, around a random key of letters and digits.',
	'src/gateway/debug/inspection.ts': 'A fixed pattern with limited counts, anchored.',
	'src/gateway/knowledge/index/searchTerms.ts': 'Fixed: classes of characters that exclude each other.',
	'src/gateway/server/router.ts': "Paths of the gateway's own routes, anchored, whose parameters end at a slash or a fixed text.",
	'src/gateway/uploads/multipart.ts': 'A fixed name; the header is limited to 16 KB.',
	'src/pages/graph/export/graphSvg.ts': 'A limited number of any characters.',
	'src/base/text/secretForms.ts': 'Escaped texts, without repetition.',
	'src/models/keyMask.ts': 'Escaped texts, without repetition.',
	'src/base/sandbox/failureText.ts': 'A fixed name and digits.',
	'src/suites/checks/thread/checkThread.ts': "A suite's own pattern, in a thread that is ended after its time limit.",
	'src/suites/exchange/promptfoo/csvTests.ts': 'Fixed words, anchored.',
	'src/suites/exchange/promptfoo/mapAssertion.ts': 'Only compiles a pattern, which the suite then has.',
	'src/suites/reading/readChecks.ts': "Only compiles a suite's own pattern.",
};
