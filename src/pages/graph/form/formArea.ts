import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { Outbox } from '../outbox.ts';
import type { FromGraph, FromGraphHost } from '../picture/graphProtocol.ts';
import { NodeFormPane } from './nodeFormPane.ts';

/** The pane next to the graph with the fields of the selected node or of the agent. */
export class FormArea {
	readonly element = document.createElement('aside');
	readonly #outbox: Outbox;
	readonly #post: (message: FromGraph) => void;
	readonly #leave: () => void;
	#pane: NodeFormPane | undefined;
	#isAgentShown = false;
	/** True if the user opened the agent's form, which gets the focus when it arrives. */
	#isAgentAsked = false;

	/** @param leave returns the focus to the canvas */
	constructor(outbox: Outbox, post: (message: FromGraph) => void, leave: () => void) {
		this.#outbox = outbox;
		this.#post = post;
		this.#leave = leave;
		this.element.className = 'formPane';
		this.element.hidden = true;
	}

	get isAgentShown(): boolean {
		return this.#isAgentShown;
	}

	/** Creates the pane on the first call. */
	start(strings: NodeFormStrings): void {
		if (!this.#pane) {
			this.element.ariaLabel = strings.fields;
			this.#pane = this.#createPane(strings);
		}
	}

	applyForm({ form, revision, done }: Extract<FromGraphHost, { type: 'form' }>): void {
		this.#pane?.receiveForm(form, done);
		this.#outbox.form = revision;
		this.#isAgentShown = form !== undefined && form.node === undefined;
		if (this.#isAgentAsked && this.#isAgentShown) {
			this.#isAgentAsked = false;
			this.#pane?.focus();
		}
	}

	markRequestsDone(done: number): void {
		this.#pane?.markRequestsDone(done);
	}

	/** Shows or hides the fields of the agent, and clears the selection. */
	toggleAgentForm(unselect: () => void): void {
		this.#isAgentAsked = !this.#isAgentShown;
		unselect();
		if (this.#isAgentAsked) {
			this.#post({ type: 'agentForm' });
		}
	}

	#createPane(strings: NodeFormStrings): NodeFormPane {
		const outbox = this.#outbox;
		return new NodeFormPane(this.element, {
			strings,
			edit: operation => outbox.send({ type: 'edit', operation }),
			sendTyped: operation => outbox.send({ type: 'typed', operation }),
			openCode: (node, path) => this.#post({ type: 'openField', node, path: [...path] }),
			undo: () => outbox.send({ type: 'undo' }),
			redo: () => outbox.send({ type: 'redo' }),
			leave: () => this.#leave(),
		});
	}
}
