import { createHash, randomUUID } from 'node:crypto';

export type Fields = Record<string, unknown>;

export interface FakeNode {
	id: string;
	data: Fields & { type?: string; title?: string };
	[more: string]: unknown;
}

export interface FakeGraph {
	nodes: FakeNode[];
	edges: (Fields & { source: string; target: string; sourceHandle?: string })[];
	[more: string]: unknown;
}

export interface FakeVariable {
	id: string;
	name: string;
	/** For example `string`, `number`, `secret`. */
	value_type: string;
	/** For a secret, the decrypted value. */
	value: unknown;
	description: string;
	selector?: string[];
}

/** A draft or a published version. */
export interface FakeWorkflow {
	id: string;
	graph: FakeGraph;
	features: Fields;
	environment: FakeVariable[];
	conversation: FakeVariable[];
	/** `draft`, or the publication time. */
	version: string;
	markedName: string;
	markedComment: string;
	/** Unix seconds. */
	createdAt: number;
	updatedAt: number;
}

export interface FakeKey {
	readonly id: string;
	readonly token: string;
	readonly createdAt: number;
	lastUsedAt: number | null;
}

export interface FakeApp {
	readonly id: string;
	readonly workspaceId: string;
	name: string;
	description: string;
	readonly mode: string;
	icon: string;
	iconType: string;
	iconBackground: string | null;
	useIconAsAnswerIcon: boolean;
	serviceApi: boolean;
	site: boolean;
	/** Settings of the live web app, as in files; `undefined` if never set. */
	siteSettings?: Fields | undefined;
	/** Unix seconds. */
	createdAt: number;
	updatedAt: number;
	draft: FakeWorkflow | undefined;
	/** Newest last. */
	versions: FakeWorkflow[];
	/** ID of the version that the app uses. */
	publishedId: string | undefined;
	/** For apps without a graph. */
	modelConfig: Fields | undefined;
	keys: FakeKey[];
	/** Plugins of the last import that the workspace lacks, until they are deleted. */
	leaked: { readonly dependencies: Fields[]; readonly until: number } | undefined;
}

export interface FakeWorkspace {
	readonly id: string;
	name: string;
}

export interface FakeAccount {
	readonly id: string;
	email: string;
	name: string;
	password: string;
	banned: boolean;
	/** Role by workspace: `owner`, `admin`, `editor`, `normal`. */
	readonly roles: Map<string, string>;
	/** Current workspace in the console. */
	currentWorkspace: string;
	failedLogins: number;
}

/** Returns the opaque hash of a draft, from JSON with sorted keys. */
export function computeHash(value: unknown): string {
	return createHash('sha256').update(toSortedJson(value)).digest('hex');
}

/** Computes the console's `hash`, which covers only graph and features. */
export function computeConsoleHash(workflow: FakeWorkflow): string {
	return computeHash({ graph: workflow.graph, features: workflow.features });
}

/** Computes the `draft_hash` of 1.18, which covers everything in a draft except node positions. */
export function computeDraftHash(workflow: FakeWorkflow): string {
	const { nodes, edges } = workflow.graph;
	const placed = new Set(['position', 'positionAbsolute', 'width', 'height', 'selected', 'dragging', 'zIndex', 'measured']);
	const dropPositions = (each: Fields) => Object.fromEntries(Object.entries(each).filter(([key]) => !placed.has(key)));
	return computeHash({
		nodes: nodes.map(dropPositions),
		edges: edges.map(dropPositions),
		features: workflow.features,
		environment: workflow.environment,
		conversation: workflow.conversation,
	});
}

export function createWorkflow(at: number, parts: Partial<FakeWorkflow> = {}): FakeWorkflow {
	return {
		id: randomUUID(),
		graph: { nodes: [], edges: [] },
		features: {},
		environment: [],
		conversation: [],
		version: 'draft',
		markedName: '',
		markedComment: '',
		createdAt: at,
		updatedAt: at,
		...parts,
	};
}

function toSortedJson(value: unknown): string {
	return JSON.stringify(value, (_key, each: unknown) =>
		typeof each === 'object' && each !== null && !Array.isArray(each) && !(each instanceof Number)
			? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
			: each,
	);
}
