import type { AgentNode, Edge, Graph, Selector } from './agentTypes.ts';
import type { TemplatePart } from './nodes/nodeType.ts';
import { Reach } from './reach.ts';
import { markdownText } from './textForms.ts';
import type { VariablePool } from './variables.ts';

/** The template of one end or answer node while it is sent. */
interface Session {
	readonly node: AgentNode;
	readonly parts: readonly TemplatePart[];
	/** Part that is being sent. */
	position: number;
	/** Chunks of that part sent so far, if its value streams. */
	sent: number;
	state: 'waiting' | 'open' | 'closed';
}

/** Text of a variable that comes in pieces. */
interface StreamedText {
	readonly chunks: string[];
	closed: boolean;
}

/**
 * Sends the texts of end and answer nodes as early as their order allows (workflow DSL, "Streaming"). A text opens when it is certain
 * to be reached; one is sent at a time, part by part; a part that is not known yet holds back all that follows.
 */
export class ResponseStream {
	readonly #variables: VariablePool;
	readonly #send: (text: string, selector: Selector) => void;
	readonly #sessions: readonly Session[];
	readonly #reach: Reach<Session> | undefined;
	/** Open sessions in the order in which they opened; the first one is sent. */
	readonly #queue: Session[] = [];
	/** By selector, joined with dots; only those that a template shows. */
	readonly #streams = new Map<string, StreamedText>();
	readonly #shown: ReadonlySet<string>;
	readonly #skipped = new Set<string>();

	constructor(graph: Graph, variables: VariablePool, send: (text: string, selector: Selector) => void) {
		this.#variables = variables;
		this.#send = send;
		this.#sessions = graph.responses.map(node => ({ node, parts: templateOf(node), position: 0, sent: 0, state: 'waiting' }));
		this.#shown = new Set(
			this.#sessions.flatMap(({ parts }) => parts.flatMap(part => ('selector' in part ? [part.selector.join('.')] : []))),
		);
		this.#reach = this.#sessions.length > 0 ? new Reach(graph, this.#sessions) : undefined;
	}

	/** A piece of a node's text. Pieces wait for their turn. */
	chunk(node: AgentNode, variable: string, text: string, last: boolean): void {
		const key = `${node.id}.${variable}`;
		if (!this.#shown.has(key)) {
			return;
		}
		let stream = this.#streams.get(key);
		if (!stream) {
			stream = { chunks: [], closed: false };
			this.#streams.set(key, stream);
		}
		stream.chunks.push(text);
		stream.closed ||= last;
		this.#flush();
	}

	/** A node's outputs are known. */
	nodeSucceeded(node: AgentNode): void {
		for (const [key, stream] of this.#streams) {
			if (key.startsWith(`${node.id}.`)) {
				stream.closed = true;
			}
		}
		this.#flush();
	}

	/** An attempt failed: what it streamed and was not sent yet is forgotten. */
	nodeFailed(node: AgentNode): void {
		for (const key of this.#streams.keys()) {
			if (key.startsWith(`${node.id}.`)) {
				this.#streams.delete(key);
			}
		}
		const session = this.#queue[0];
		const part = session?.parts[session.position];
		if (session && part && 'selector' in part && part.selector[0] === node.id) {
			session.sent = 0;
		}
	}

	nodeSkipped(node: AgentNode): void {
		this.#skipped.add(node.id);
	}

	/** Opens the texts that are certain to be reached now. */
	edgeTaken(edge: Edge): void {
		if (!this.#reach) {
			return;
		}
		for (const session of this.#reach.take(edge)) {
			if (session.state === 'waiting') {
				session.state = 'open';
				this.#queue.push(session);
				if (this.#queue.length === 1) {
					this.#flush();
				}
			}
		}
	}

	/** An end or answer node is done: what it still held back does not hold back others. */
	close(node: AgentNode): void {
		const session = this.#sessions.find(candidate => candidate.node === node);
		if (session && session.state !== 'closed') {
			session.state = 'closed';
			const index = this.#queue.indexOf(session);
			if (index >= 0) {
				this.#queue.splice(index, 1);
				this.#flush();
			}
		}
	}

	#flush(): void {
		for (let session = this.#queue[0]; session; session = this.#queue[0]) {
			while (session.position < session.parts.length && this.#sendPart(session)) {
				session.position++;
				session.sent = 0;
			}
			if (session.position < session.parts.length) {
				return;
			}
			session.state = 'closed';
			this.#queue.shift();
		}
	}

	/** @returns whether the part is done */
	#sendPart(session: Session): boolean {
		const part = session.parts[session.position] as TemplatePart;
		if ('text' in part) {
			this.#send(part.text, [session.node.id, 'answer']);
			return true;
		}
		const { selector } = part;
		if (this.#skipped.has(selector[0] as string)) {
			return true;
		}
		const stream = this.#streams.get(selector.join('.'));
		if (stream) {
			for (; session.sent < stream.chunks.length; session.sent++) {
				this.#send(stream.chunks[session.sent] as string, selector);
			}
			return stream.closed;
		}
		const value = this.#variables.get(selector);
		if (value === undefined) {
			return false;
		}
		this.#send(markdownText(value), selector);
		return true;
	}
}

function templateOf(node: AgentNode): readonly TemplatePart[] {
	return node.nodeType?.template?.(node.settings as never) ?? [];
}
