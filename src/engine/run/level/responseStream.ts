import type { AgentNode, Edge, Graph, Selector } from '../../agentFile/agentTypes.ts';
import type { TemplatePart } from '../../nodes/nodeType.ts';
import { toMarkdownText } from '../../variables/textForms.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { Reach } from './reach.ts';

/** Progress of sending the template of one end or answer node. */
interface Session {
	readonly node: AgentNode;
	readonly parts: readonly TemplatePart[];
	/** Index of the part being sent. */
	position: number;
	/** `ended`: the node has finished, but its text hasn't been sent yet. */
	state: 'waiting' | 'open' | 'ended' | 'closed';
}

/** Streamed text of a variable. */
interface StreamedText {
	chunks: string[];
	/** Number of chunks sent so far. Each is sent once, even if templates name the variable twice. */
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
 * Sends the text of end and answer nodes as early as their order allows (workflow DSL, "Streaming"). A text opens when it is certain to be
 * reached. One text is sent at a time, part by part; an unknown part holds back everything after it.
 */
export class ResponseStream {
	readonly #variables: VariablePool;
	/** Returns false if no more text is accepted. */
	readonly #send: (text: string, selector: Selector) => boolean;
	#isFull = false;
	readonly #sessions: readonly Session[];
	readonly #reach: Reach<Session> | undefined;
	/** Open sessions in the order in which they opened; the first one is being sent. */
	readonly #queue: Session[] = [];
	/** Streamed texts by dot-joined selector. Contains only those that a template shows. */
	readonly #streams = new Map<string, StreamedText>();
	readonly #shown: ReadonlySet<string>;
	readonly #skipped = new Set<string>();

	constructor(graph: Graph, root: AgentNode, variables: VariablePool, send: (text: string, selector: Selector) => boolean) {
		this.#variables = variables;
		this.#send = send;
		this.#sessions = graph.responses.map(node => ({ node, parts: getNodeTemplate(node), position: 0, state: 'waiting' }));
		this.#shown = new Set(
			this.#sessions.flatMap(({ parts }) => parts.flatMap(part => ('selector' in part ? [part.selector.join('.')] : []))),
		);
		this.#reach = this.#sessions.length > 0 ? new Reach(graph, root, this.#sessions) : undefined;
	}

	/** Returns the state needed to resume in another process. */
	getState(): ResponseState {
		return {
			sessions: this.#sessions.map(({ node, position, state }) => ({ node: node.id, position, state })),
			queue: this.#queue.map(({ node }) => node.id),
			streams: Object.fromEntries(this.#streams),
		};
	}

	/** Restores the state that {@link getState} returned. @param taken all edges taken until then */
	restoreState({ sessions, queue, streams }: ResponseState, taken: readonly Edge[]): void {
		this.#reach?.reachRoot();
		for (const edge of taken) {
			this.#reach?.takeEdge(edge);
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

	/** Adds a chunk of a node's text. Chunks wait for their turn. */
	addChunk(node: AgentNode, variable: string, text: string, last: boolean): void {
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
		this.#sendReadyParts();
	}

	/** Opens the texts that nothing can hold back. */
	openCertainTexts(): void {
		this.#openSessions(this.#reach?.reachRoot() ?? []);
	}

	/** True if a text that is certain to be reached shows the model's text or reasoning. */
	isShowingModel(model: AgentNode): boolean {
		const isReferringToModel = ({ parts }: Session) =>
			parts.some(
				part => 'selector' in part && part.selector[0] === model.id && ['text', 'reasoning_content'].includes(part.selector[1] ?? ''),
			);
		return this.#sessions.some(session => session.state === 'open' && isReferringToModel(session));
	}

	/** Called when a node's outputs are known. */
	onNodeEnded(node: AgentNode): void {
		for (const [key, stream] of this.#streams) {
			if (key.startsWith(`${node.id}.`)) {
				stream.closed = true;
				this.#joinLateChunks(stream);
			}
		}
		this.#sendReadyParts();
	}

	/** Drops the unsent text of a failed attempt. */
	onNodeFailed(node: AgentNode): void {
		for (const key of this.#streams.keys()) {
			if (key.startsWith(`${node.id}.`)) {
				this.#streams.delete(key);
			}
		}
	}

	onNodeSkipped(node: AgentNode): void {
		this.#skipped.add(node.id);
	}

	/** Makes a skipped node reachable again, because a node before it runs again. */
	onNodeUnskipped(node: AgentNode): void {
		this.#skipped.delete(node.id);
	}

	/** Opens the texts that are now certain to be reached. */
	onEdgeTaken(edge: Edge): void {
		if (this.#reach) {
			this.#openSessions(this.#reach.takeEdge(edge));
		}
	}

	#openSessions(sessions: readonly Session[]): void {
		for (const session of sessions) {
			if (session.state === 'waiting') {
				session.state = 'open';
				this.#queue.push(session);
				if (this.#queue.length === 1) {
					this.#sendReadyParts();
				}
			}
		}
	}

	/**
	 * Closes the text of a finished end or answer node. The text is still sent in turn, but waits for no more values, so it doesn't hold
	 * back other texts.
	 */
	closeNodeText(node: AgentNode): void {
		const session = this.#sessions.find(candidate => candidate.node === node);
		if (session && session.state !== 'closed') {
			session.state = this.#queue.includes(session) ? 'ended' : 'closed';
			this.#sendReadyParts();
		}
	}

	/** Joins the chunks of a text into one if it finished while another text was still being sent. */
	#joinLateChunks(stream: StreamedText): void {
		const session = this.#queue[0];
		const part = session?.parts[session.position];
		const written = part && 'selector' in part ? this.#streams.get(part.selector.join('.')) : undefined;
		if (written && written !== stream && !written.closed && stream.sent === 0) {
			stream.chunks = [stream.chunks.join('')];
		}
	}

	#sendReadyParts(): void {
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

	/** @returns true if the part is complete */
	#sendPart(session: Session): boolean {
		const part = session.parts[session.position] as TemplatePart;
		if (this.#isFull) {
			// the run is ending: don't even format the value
			return true;
		}
		if ('text' in part) {
			this.#emitText(part.text, [session.node.id, 'answer']);
			return true;
		}
		const { selector } = part;
		if (this.#skipped.has(selector[0] as string)) {
			return true;
		}
		const stream = this.#streams.get(selector.join('.'));
		if (stream) {
			for (; stream.sent < stream.chunks.length; stream.sent++) {
				this.#emitText(stream.chunks[stream.sent] as string, selector);
			}
			return stream.closed;
		}
		const value = this.#variables.getExactValue(selector);
		if (value === undefined) {
			return false;
		}
		this.#emitText(toMarkdownText(value), selector);
		return true;
	}

	#emitText(text: string, selector: Selector): void {
		this.#isFull ||= !this.#send(text, selector);
	}
}

function getNodeTemplate(node: AgentNode): readonly TemplatePart[] {
	return node.nodeType?.template?.(node.settings as never) ?? [];
}
