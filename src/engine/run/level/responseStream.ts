import type { AgentNode, Edge, Graph, Selector } from '../../agentFile/agentTypes.ts';
import type { TemplatePart } from '../../nodes/nodeType.ts';
import { markdownText } from '../../variables/textForms.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { Reach } from './reach.ts';

/** The template of one end or answer node while it is sent. */
interface Session {
	readonly node: AgentNode;
	readonly parts: readonly TemplatePart[];
	/** Part that is being sent. */
	position: number;
	/** `ended`: its node is done, and it is still to be sent. */
	state: 'waiting' | 'open' | 'ended' | 'closed';
}

/** Text of a variable that comes in pieces. */
interface StreamedText {
	chunks: string[];
	/** Chunks sent so far: each is sent once, also if the text is named twice. */
	sent: number;
	closed: boolean;
}

/** A {@link ResponseStream} as plain JSON: end and answer nodes by ID, streamed texts by selector. */
export interface ResponseState {
	readonly sessions: readonly (Pick<Session, 'position' | 'state'> & { readonly node: string })[];
	readonly queue: readonly string[];
	readonly streams: Readonly<Record<string, StreamedText>>;
}

/**
 * Sends the texts of end and answer nodes as early as their order allows (workflow DSL, "Streaming"). A text opens when it is certain
 * to be reached; one is sent at a time, part by part; a part that is not known yet holds back all that follows.
 */
export class ResponseStream {
	readonly #variables: VariablePool;
	/** Returns false if no more is taken. */
	readonly #send: (text: string, selector: Selector) => boolean;
	#isFull = false;
	readonly #sessions: readonly Session[];
	readonly #reach: Reach<Session> | undefined;
	/** Open sessions in the order in which they opened; the first one is sent. */
	readonly #queue: Session[] = [];
	/** By selector, joined with dots; only those that a template shows. */
	readonly #streams = new Map<string, StreamedText>();
	readonly #shown: ReadonlySet<string>;
	readonly #skipped = new Set<string>();

	constructor(graph: Graph, root: AgentNode, variables: VariablePool, send: (text: string, selector: Selector) => boolean) {
		this.#variables = variables;
		this.#send = send;
		this.#sessions = graph.responses.map(node => ({ node, parts: templateOf(node), position: 0, state: 'waiting' }));
		this.#shown = new Set(
			this.#sessions.flatMap(({ parts }) => parts.flatMap(part => ('selector' in part ? [part.selector.join('.')] : []))),
		);
		this.#reach = this.#sessions.length > 0 ? new Reach(graph, root, this.#sessions) : undefined;
	}

	/** What is needed to go on in another process. */
	state(): ResponseState {
		return {
			sessions: this.#sessions.map(({ node, position, state }) => ({ node: node.id, position, state })),
			queue: this.#queue.map(({ node }) => node.id),
			streams: Object.fromEntries(this.#streams),
		};
	}

	/** Takes up what {@link state} gave. @param taken all edges that were taken until then */
	restore({ sessions, queue, streams }: ResponseState, taken: readonly Edge[]): void {
		this.#reach?.begin();
		for (const edge of taken) {
			this.#reach?.take(edge);
		}
		for (const session of this.#sessions) {
			const known = sessions.find(({ node }) => node === session.node.id);
			session.position = known?.position ?? 0;
			session.state = known?.state ?? 'waiting';
		}
		this.#queue.push(...queue.flatMap(id => this.#sessions.find(({ node }) => node.id === id) ?? []));
		for (const [key, stream] of Object.entries(streams)) {
			this.#streams.set(key, { ...stream });
		}
	}

	/** A piece of a node's text. Pieces wait for their turn. */
	chunk(node: AgentNode, variable: string, text: string, last: boolean): void {
		const key = `${node.id}.${variable}`;
		if (!this.#shown.has(key)) {
			return;
		}
		let stream = this.#streams.get(key);
		if (!stream) {
			stream = { chunks: [], sent: 0, closed: false };
			this.#streams.set(key, stream);
		}
		stream.chunks.push(text);
		stream.closed ||= last;
		this.#flush();
	}

	/** Opens the texts that nothing can hold back. */
	begin(): void {
		this.#open(this.#reach?.begin() ?? []);
	}

	/** Whether a text that is certain to be reached names what a model says or thinks. */
	shows(model: AgentNode): boolean {
		const names = ({ parts }: Session) =>
			parts.some(
				part => 'selector' in part && part.selector[0] === model.id && ['text', 'reasoning_content'].includes(part.selector[1] ?? ''),
			);
		return this.#sessions.some(session => session.state === 'open' && names(session));
	}

	/** A node's outputs are known. */
	nodeEnded(node: AgentNode): void {
		for (const [key, stream] of this.#streams) {
			if (key.startsWith(`${node.id}.`)) {
				stream.closed = true;
				this.#joinIfLate(stream);
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
	}

	nodeSkipped(node: AgentNode): void {
		this.#skipped.add(node.id);
	}

	/** It may be reached after all: what led past it runs again. */
	nodeUnskipped(node: AgentNode): void {
		this.#skipped.delete(node.id);
	}

	/** Opens the texts that are certain to be reached now. */
	edgeTaken(edge: Edge): void {
		if (this.#reach) {
			this.#open(this.#reach.take(edge));
		}
	}

	#open(sessions: readonly Session[]): void {
		for (const session of sessions) {
			if (session.state === 'waiting') {
				session.state = 'open';
				this.#queue.push(session);
				if (this.#queue.length === 1) {
					this.#flush();
				}
			}
		}
	}

	/** An end or answer node is done: its text is still sent in its turn, but waits for no value any more, so that it holds back no other. */
	close(node: AgentNode): void {
		const session = this.#sessions.find(candidate => candidate.node === node);
		if (session && session.state !== 'closed') {
			session.state = this.#queue.includes(session) ? 'ended' : 'closed';
			this.#flush();
		}
	}

	/** A text that has ended while another was still being written is one chunk when its turn comes. */
	#joinIfLate(stream: StreamedText): void {
		const session = this.#queue[0];
		const part = session?.parts[session.position];
		const written = part && 'selector' in part ? this.#streams.get(part.selector.join('.')) : undefined;
		if (written && written !== stream && !written.closed && stream.sent === 0) {
			stream.chunks = [stream.chunks.join('')];
		}
	}

	#flush(): void {
		for (let session = this.#queue[0]; session; session = this.#queue[0]) {
			while (session.position < session.parts.length && this.#sendPart(session)) {
				session.position++;
			}
			if (session.position < session.parts.length && session.state !== 'ended') {
				return;
			}
			session.state = 'closed';
			this.#queue.shift();
		}
	}

	/** @returns whether the part is done */
	#sendPart(session: Session): boolean {
		const part = session.parts[session.position] as TemplatePart;
		if (this.#isFull) {
			// the run ends: not even the text of a value is made any more
			return true;
		}
		if ('text' in part) {
			this.#give(part.text, [session.node.id, 'answer']);
			return true;
		}
		const { selector } = part;
		if (this.#skipped.has(selector[0] as string)) {
			return true;
		}
		const stream = this.#streams.get(selector.join('.'));
		if (stream) {
			for (; stream.sent < stream.chunks.length; stream.sent++) {
				this.#give(stream.chunks[stream.sent] as string, selector);
			}
			return stream.closed;
		}
		const value = this.#variables.exact(selector);
		if (value === undefined) {
			return false;
		}
		this.#give(markdownText(value), selector);
		return true;
	}

	#give(text: string, selector: Selector): void {
		this.#isFull ||= !this.#send(text, selector);
	}
}

function templateOf(node: AgentNode): readonly TemplatePart[] {
	return node.nodeType?.template?.(node.settings as never) ?? [];
}
