/** Codicon of each node type that the DSL has. */
const icons: Readonly<Record<string, string>> = {
	start: 'home',
	'trigger-webhook': 'plug',
	'trigger-schedule': 'watch',
	'trigger-plugin': 'extensions',
	end: 'flag',
	answer: 'comment',
	llm: 'sparkle',
	agent: 'robot',
	'knowledge-retrieval': 'library',
	'knowledge-index': 'library',
	datasource: 'database',
	'datasource-empty': 'database',
	'question-classifier': 'list-tree',
	'if-else': 'git-compare',
	'human-input': 'person',
	iteration: 'list-ordered',
	loop: 'sync',
	'iteration-start': 'home',
	'loop-start': 'home',
	'loop-end': 'debug-stop',
	code: 'code',
	'template-transform': 'symbol-snippet',
	'variable-aggregator': 'combine',
	'variable-assigner': 'combine',
	assigner: 'symbol-variable',
	'document-extractor': 'file-text',
	'parameter-extractor': 'symbol-parameter',
	'http-request': 'globe',
	'list-operator': 'filter',
	tool: 'tools',
};

/** Whether the DSL has nodes of this type. */
export function isKnownKind(kind: string): boolean {
	return Object.hasOwn(icons, kind);
}

/** Name of the codicon of a node type. */
export function kindIcon(kind: string): string {
	return (isKnownKind(kind) && icons[kind]) || 'question';
}
