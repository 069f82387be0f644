import { html, nothing, render } from 'lit';
import { hasPrompt } from '#agentFile/nodeKinds/nodeKinds.ts';
import { renderTabs } from '../../shared/tabs.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';
import type { Outbox } from '../outbox.ts';
import type { PageRun } from '../pageRun.ts';
import type { FromGraph, FromGraphHost } from '../picture/graphProtocol.ts';
import type { GraphStrings } from '../picture/graphStrings.ts';
import { HelpBar } from './helpBar.ts';
import { LastRunPane } from './lastRunPane.ts';
import { NodeFormPane } from './nodeFormPane.ts';

interface FormAreaParts {
	readonly outbox: Outbox;
	readonly run: PageRun;
	readonly post: (message: FromGraph) => void;
	/** Returns the focus to the canvas. */
	readonly leave: () => void;
}

type Tab = 'form' | 'lastRun';

/** The pane next to the graph: the fields of the selected node or of the agent, and the node's values in the last run. */
export class FormArea {
	readonly element = document.createElement('aside');
	readonly #tabs = document.createElement('div');
	readonly #panel = document.createElement('div');
	readonly #formRoot = document.createElement('div');
	readonly #lastRunRoot = document.createElement('div');
	readonly #help = new HelpBar(this.#formRoot);
	readonly #parts: FormAreaParts;
	#strings: GraphStrings | undefined;
	#pane: NodeFormPane | undefined;
	#lastRun: LastRunPane | undefined;
	#tab: Tab = 'form';
	/** The node whose form is shown. */
	#node: string | undefined;
	#isAgentShown = false;
	/** True if the shown node has a prompt. */
	#hasPrompt = false;
	/** True if the user opened the agent's form, which gets the focus when it arrives. */
	#isAgentAsked = false;

	constructor(parts: FormAreaParts) {
		this.#parts = parts;
		this.element.className = 'formPane';
		this.element.hidden = true;
		this.#tabs.className = 'paneTabs';
		this.#panel.className = 'formPanel';
		this.#panel.id = 'pane-panel';
		this.#lastRunRoot.className = 'lastRun';
		this.#panel.append(this.#formRoot, this.#lastRunRoot);
		this.element.append(this.#tabs, this.#panel, this.#help.element);
		this.#lastRunRoot.addEventListener('keydown', event => {
			if (event.key === 'Escape') {
				event.preventDefault();
				this.#parts.leave();
			}
		});
	}

	get isAgentShown(): boolean {
		return this.#isAgentShown;
	}

	/** Creates the panes on the first call. */
	start(formStrings: NodeFormStrings, strings: GraphStrings): void {
		if (!this.#pane) {
			const { run, post } = this.#parts;
			this.#strings = strings;
			this.element.ariaLabel = formStrings.fields;
			this.#pane = this.#createPane(formStrings);
			this.#lastRun = new LastRunPane(this.#lastRunRoot, { run, post, strings });
		}
	}

	applyForm({ form, revision, done }: Extract<FromGraphHost, { type: 'form' }>): void {
		if (form?.node !== this.#node || form === undefined) {
			this.#panel.scrollTop = 0;
		}
		this.#pane?.receiveForm(form, done);
		this.#parts.outbox.form = revision;
		this.#node = form?.node;
		this.#hasPrompt = form !== undefined && hasPrompt(form.type);
		this.#help.setAbout(form?.about || form?.type || '');
		this.element.hidden = form === undefined;
		this.#isAgentShown = form !== undefined && form.node === undefined;
		this.#render();
		if (this.#isAgentAsked && this.#isAgentShown) {
			this.#isAgentAsked = false;
			this.#pane?.focus();
		}
	}

	/** Updates the node's values after the run has changed. `isNew`: another run is shown. */
	applyRun(isNew: boolean): void {
		if (isNew) {
			this.#lastRun?.clear();
		}
		this.#render();
	}

	receiveDetail({ row, detail }: Extract<FromGraphHost, { type: 'rowDetail' }>): void {
		this.#lastRun?.receiveDetail(row, detail);
	}

	markRequestsDone(done: number): void {
		this.#pane?.markRequestsDone(done);
	}

	/** Shows or hides the fields of the agent, and clears the selection. */
	toggleAgentForm(unselect: () => void): void {
		this.#isAgentAsked = !this.#isAgentShown;
		unselect();
		if (this.#isAgentAsked) {
			this.#parts.post({ type: 'agentForm' });
		}
	}

	#render(): void {
		const strings = this.#strings;
		const node = this.#node;
		const isLastRun = node !== undefined && this.#tab === 'lastRun';
		this.#formRoot.style.display = isLastRun ? 'none' : '';
		this.#lastRunRoot.hidden = !isLastRun;
		this.#help.element.hidden = isLastRun;
		if (node === undefined || !strings) {
			render(nothing, this.#tabs);
			this.#panel.removeAttribute('role');
			return;
		}
		this.#panel.setAttribute('role', 'tabpanel');
		this.#panel.setAttribute('aria-labelledby', `pane-${this.#tab}`);
		const tabs = [
			{ id: 'form', label: strings.form },
			{ id: 'lastRun', label: strings.lastRun },
		] as const;
		const select = (tab: Tab) => {
			this.#tab = tab;
			this.#render();
		};
		render(
			html`${renderTabs<Tab>({ label: strings.pane, prefix: 'pane', tabs, selected: this.#tab, select })}${this.#renderPromptButton(node, strings)}`,
			this.#tabs,
		);
		if (isLastRun) {
			this.#lastRun?.showNode(node);
		}
	}

	#renderPromptButton(node: string, { tryPrompt }: GraphStrings): unknown {
		const act = () => this.#parts.post({ type: 'onNode', action: 'prompt', node });
		return this.#hasPrompt
			? html`<button type="button" class="wordButton" @click=${act}><span class="codicon codicon-beaker" aria-hidden="true"></span>${tryPrompt}</button>`
			: nothing;
	}

	#createPane(strings: NodeFormStrings): NodeFormPane {
		const { outbox, post, leave } = this.#parts;
		return new NodeFormPane(this.#formRoot, {
			strings,
			edit: operation => outbox.send({ type: 'edit', operation }),
			sendTyped: operation => outbox.send({ type: 'typed', operation }),
			openCode: (node, path) => post({ type: 'openField', node, path: [...path] }),
			undo: () => outbox.send({ type: 'undo' }),
			redo: () => outbox.send({ type: 'redo' }),
			leave,
		});
	}
}
