import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import { isDeepEqual } from '#base/records/plainValues.ts';
import {
	type ColumnAction,
	type FromPrompt,
	type FromPromptHost,
	type PromptColumn,
	type PromptState,
	parsePromptMessage,
} from '#pages/prompt/promptMessages.ts';
import { getPromptStrings, mostColumns } from '#pages/prompt/promptStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { pickTarget } from '../chat/targetPicks.ts';
import { builtInId } from '../connections/connectionTypes.ts';
import { PanelPage } from '../platform/webviewPage.ts';
import { getBasesAfterwards } from './applyPrompt.ts';
import { compareAnswers } from './compareAnswers.ts';
import type { PromptActions } from './promptActions.ts';
import { PromptAnswers } from './promptAnswers.ts';
import { addAnswerToSuite } from './promptCases.ts';

/** Milliseconds in which parts of answers are collected before they are sent to the page. */
const gatherMs = 60;
/** Maximum number of characters of answers to send in a millisecond: the page gets the whole text each time. */
const mostPerMs = 20_000;

/** The host's side of a playground. The page owns the prompt, the host the models and their answers. */
export class PromptPanel extends PanelPage<FromPrompt, FromPromptHost> {
	readonly #actions: PromptActions;
	readonly #answers = this.register(new PromptAnswers(vscode.l10n, column => this.#queueAnswer(column)));
	readonly #changed = new Set<string>();
	/** Number of characters of the answers that were sent last. */
	#sentLength = 0;
	#state: PromptState;

	constructor(panel: vscode.WebviewPanel, state: PromptState, actions: PromptActions) {
		super(panel, { parse: parsePromptMessage, name: 'Prompt playground', log: actions.log });
		this.#actions = actions;
		this.#state = { ...state, columns: state.columns.map(markInterrupted) };
		this.#setTitle();
	}

	/** True if this playground is for the same node, run or turn of a chat. */
	isFor({ source }: PromptState): boolean {
		const fields = ['file', 'node', 'run', 'execution', 'turn'] as const;
		const own = this.#state.source;
		return fields.some(field => source[field] !== undefined) && fields.every(field => own[field] === source[field]);
	}

	/** Shows the prompt as it is in the file now, unless the user changed it here. Values that the user entered stay. */
	refreshPrompt({ source, prompt }: PromptState): void {
		const { prompt: shown, source: old } = this.#state;
		const isChanged = shown.messages.some(({ base, role, text, fixed, edited }) =>
			fixed ? edited : base?.text !== text || base.role !== role,
		);
		const isMissing = old.length !== undefined && shown.messages.filter(({ base }) => base).length < old.length;
		if (!isChanged && !isMissing && isDeepEqual(shown.parameters, old.parameters)) {
			const entered = new Map(shown.variables.flatMap(each => (each.edited ? [[each.name, each] as const] : [])));
			const variables = prompt.variables.map(each => entered.get(each.name) ?? each);
			this.#state = { ...this.#state, source, prompt: { ...prompt, variables } };
			this.#setTitle();
			this.#sendSnapshot();
		}
	}

	#setTitle(): void {
		this.panel.title = this.#state.source.title;
	}

	/** Shows errors on the page. */
	protected override async handleMessage(message: FromPrompt): Promise<void> {
		try {
			await super.handleMessage(message);
		} catch (error) {
			if (!isCancellation(error)) {
				this.#showNotice(getErrorMessage(error), true);
			}
		}
	}

	protected override readonly handlers: Handlers<FromPrompt> = {
		ready: () => {
			this.startPage();
			this.#sendSnapshot();
		},
		prompt: ({ prompt }) => {
			this.#state = { ...this.#state, prompt };
		},
		addModel: () => this.#addModel(),
		runAll: () => this.#runAll(),
		stopAll: () => {
			for (const { id } of this.#state.columns) {
				this.#answers.stop(id);
			}
		},
		showSource: () => this.#actions.showSource(this.#state.source, this.panel.viewColumn),
		copy: ({ text }) => vscode.env.clipboard.writeText(text),
		column: async message => {
			const column = this.#state.columns.find(({ id }) => id === message.column);
			if (column) {
				await this.#columnActions[message.action](this.#withAnswer(column));
			}
		},
	};

	readonly #columnActions: Readonly<Record<ColumnAction, (column: PromptColumn) => unknown>> = {
		pick: column => this.#changeModel(column),
		remove: ({ id }) => {
			this.#answers.remove(id);
			this.#setColumns(this.#state.columns.filter(each => each.id !== id));
		},
		run: column => this.#runColumn(column),
		stop: ({ id }) => this.#answers.stop(id),
		retryNow: ({ id }) => this.#answers.retryNow(id),
		setKey: async ({ connectionId }) => {
			const command = connectionId === builtInId ? 'agentWorkbench.gateway.setUpstreamKey' : 'agentWorkbench.connection.setKey';
			await vscode.commands.executeCommand(command satisfies CommandId, connectionId);
		},
		showLog: () => this.#actions.log.show(true),
		compare: column => compareAnswers(this.#actions.compared, column, this.#listColumns()),
		copy: ({ answer }) => vscode.env.clipboard.writeText(answer?.text ?? ''),
		apply: column => this.#applyColumn(column),
		addToSuite: column => addAnswerToSuite(column, this.#state),
	};

	async #addModel(): Promise<boolean> {
		const { columns } = this.#state;
		const last = columns.at(-1);
		const target = columns.length < mostColumns ? await this.#pickTarget(last) : undefined;
		if (target) {
			this.#setColumns([...this.#state.columns, { id: randomUUID(), ...target }].slice(0, mostColumns));
		}
		return target !== undefined;
	}

	async #changeModel(column: PromptColumn): Promise<void> {
		const target = await this.#pickTarget(column);
		if (target) {
			this.#answers.remove(column.id);
			this.#setColumns(this.#state.columns.map(each => (each.id === column.id ? { id: each.id, ...target } : each)));
		}
	}

	async #pickTarget(current: PromptColumn | undefined): Promise<Omit<PromptColumn, 'id' | 'answer'> | undefined> {
		const { connectionId = '', endpoint = 'messages', model = '' } = current ?? {};
		const { connections, targets } = this.#actions;
		const target = await pickTarget({ connectionId, endpoint, name: model }, connections, targets);
		return (
			target && { connectionId: target.connection.id, connection: target.connection.name, endpoint: target.endpoint, model: target.name }
		);
	}

	/** Runs the prompt with all models. Lets the user pick one first if there is none. */
	async #runAll(): Promise<void> {
		if (this.#state.columns.length > 0 || (await this.#addModel())) {
			for (const column of this.#state.columns) {
				this.#runColumn(column);
			}
		}
	}

	#runColumn({ id, endpoint, connection, model, connectionId }: PromptColumn): void {
		const { prompt, source } = this.#state;
		const target = { endpoint, connectionId, model };
		void this.#answers.start(id, { endpoint, connection, model }, () => this.#actions.openSource(target, prompt, source));
	}

	async #applyColumn(column: PromptColumn): Promise<void> {
		const { prompt } = this.#state;
		const { text, source } = await this.#actions.applyPrompt(column, this.#state);
		if (source) {
			const bases = getBasesAfterwards(prompt);
			const messages = this.#state.prompt.messages.map(message => ({ ...message, base: bases[message.id] ?? message.base }));
			this.#state = { ...this.#state, source, prompt: { ...this.#state.prompt, messages } };
			this.post({ type: 'applied', source, bases, text });
		} else {
			this.#showNotice(text, false);
		}
	}

	#showNotice(text: string, isProblem: boolean): void {
		this.post({ type: 'notice', text, isProblem });
	}

	#withAnswer(column: PromptColumn): PromptColumn {
		const answer = this.#answers.get(column.id) ?? column.answer;
		return { ...column, ...(answer && { answer }) };
	}

	#listColumns(): readonly PromptColumn[] {
		return this.#state.columns.map(column => this.#withAnswer(column));
	}

	#setColumns(columns: readonly PromptColumn[]): void {
		this.#state = { ...this.#state, columns };
		this.post({ type: 'columns', columns: this.#listColumns() });
	}

	#sendSnapshot(): void {
		this.#changed.clear();
		this.post({ type: 'snapshot', strings: getPromptStrings(vscode.l10n), state: { ...this.#state, columns: this.#listColumns() } });
	}

	#queueAnswer(column: string): void {
		if (this.isReady) {
			this.#changed.add(column);
			this.schedule(Math.max(gatherMs, this.#sentLength / mostPerMs), () => this.#sendAnswers());
		}
	}

	#sendAnswers(): void {
		this.#sentLength = 0;
		for (const column of this.#changed) {
			const answer = this.#answers.get(column);
			if (answer) {
				this.post({ type: 'answer', column, answer });
				this.#sentLength += answer.text.length + (answer.thinking?.length ?? 0);
			}
		}
		this.#changed.clear();
	}
}

/** Marks an answer as interrupted that was still being received when the window was closed. */
function markInterrupted(column: PromptColumn): PromptColumn {
	const { answer } = column;
	return answer?.reply.status === 'streaming'
		? { ...column, answer: { ...answer, reply: { ...answer.reply, status: 'interrupted' } } }
		: column;
}
