import * as vscode from 'vscode';
import type { CommandHandlers, CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import type { DebugModelCall, DebugModelReply } from '#contract/debugModelCalls.ts';
import { createReplyText, formatPrompt, parseReplyText } from './modelCallText.ts';

/** Context key that is true if the active session is paused at a model call. */
const pausedContext = 'agentWorkbench.atModelCall';
/** Context key with the URIs of the documents for replies. */
const documentsContext = 'agentWorkbench.replyDocuments';

/** A model call that a debugged run is paused at. */
export interface PausedModelCall {
	readonly branch: number;
	/** Number of the call in its session. */
	readonly number: number;
	readonly model: string;
	/** Title of the node that calls the model. */
	readonly title: string;
	/** Path and line (from 0) where the node is shown. */
	readonly file?: string;
	readonly line?: number;
}

/** A debugged run whose model calls can be answered. */
export interface AnswerableRun {
	/** The calls that the run is paused at, first that of the branch that stopped it. */
	readonly modelCalls: readonly PausedModelCall[];
	readModelCall(branch: number): Promise<DebugModelCall>;
	/** Rejects if the gateway refuses the reply. */
	answerModelCall(call: PausedModelCall, reply: DebugModelReply): Promise<void>;
}

/** A document in which the user writes the reply to a model call. */
interface ReplyDocument {
	readonly run: AnswerableRun;
	readonly paused: PausedModelCall;
	readonly call: DebugModelCall;
}

/** Lets the user answer model calls of debugged runs by hand, each in an untitled document. */
export class ReplyDocuments extends DisposableBase implements vscode.CodeLensProvider {
	readonly handlers = {
		'agentWorkbench.debug.answerByHand': (number: unknown) => this.#openDocument(number),
		'agentWorkbench.debug.copyPrompt': (number: unknown) => this.#copyPrompt(number),
		'agentWorkbench.debug.sendReply': (uri: unknown) => this.#sendReply(uri),
	} satisfies CommandHandlers;
	readonly #getActiveRun: () => AnswerableRun | undefined;
	/** Open documents by URI. */
	readonly #documents = new Map<string, ReplyDocument>();
	/** Open documents by the number of their call. */
	readonly #opened = new WeakMap<AnswerableRun, Map<number, Promise<vscode.TextDocument>>>();
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChangeCodeLenses = this.#changed.event;

	constructor(getActiveRun: () => AnswerableRun | undefined) {
		super();
		this.#getActiveRun = getActiveRun;
		this.register(vscode.languages.registerCodeLensProvider([{ scheme: 'untitled' }, { scheme: 'file', language: 'yaml' }], this));
		this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forgetDocument(uri)));
		this.register(vscode.debug.onDidChangeActiveDebugSession(() => this.refresh()));
	}

	/** Shows which calls can be answered now. */
	refresh(): void {
		void vscode.commands.executeCommand('setContext', pausedContext, (this.#getActiveRun()?.modelCalls.length ?? 0) > 0);
		this.#changed.fire();
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const reply = this.#documents.get(String(document.uri));
		if (reply) {
			return this.#createReplyLenses(document, reply);
		}
		const calls = this.#getActiveRun()?.modelCalls ?? [];
		return calls
			.filter(({ file }) => file === document.uri.fsPath)
			.flatMap(({ number, line = 0 }) => {
				const at = new vscode.Range(line, 0, line, 0);
				const createLens = (title: string, command: CommandId) => new vscode.CodeLens(at, { title, command, arguments: [number] });
				return [
					createLens(vscode.l10n.t('$(edit) Answer by hand'), 'agentWorkbench.debug.answerByHand'),
					createLens(vscode.l10n.t('$(copy) Copy prompt'), 'agentWorkbench.debug.copyPrompt'),
				];
			});
	}

	#createReplyLenses({ uri }: vscode.TextDocument, { run, paused }: ReplyDocument): vscode.CodeLens[] {
		const at = new vscode.Range(0, 0, 0, 0);
		if (!isPausedAt(run, paused)) {
			const title = vscode.l10n.t("The run isn't paused at this model call anymore.");
			return [new vscode.CodeLens(at, { title, command: '' })];
		}
		const title = vscode.l10n.t({
			message: "Reply of '{0}' to '{1}'",
			args: [paused.model, paused.title],
			comment: ['{0} is the name of a model, {1} is the title of a node that calls it'],
		});
		return [
			new vscode.CodeLens(at, {
				title: vscode.l10n.t('$(check) Send reply'),
				command: 'agentWorkbench.debug.sendReply' satisfies CommandId,
				arguments: [uri],
			}),
			new vscode.CodeLens(at, { title, command: '' }),
		];
	}

	async #openDocument(number: unknown): Promise<void> {
		const { run, paused } = this.#findCall(number);
		const known = this.#opened.get(run) ?? new Map<number, Promise<vscode.TextDocument>>();
		const opened = known.get(paused.number) ?? this.#createDocument(run, paused);
		this.#opened.set(run, known.set(paused.number, opened));
		const document = await opened.catch((error: unknown) => {
			known.delete(paused.number);
			throw error;
		});
		await vscode.window.showTextDocument(document, {
			preview: false,
			viewColumn: findColumn(document) ?? vscode.ViewColumn.Beside,
		});
	}

	async #createDocument(run: AnswerableRun, paused: PausedModelCall): Promise<vscode.TextDocument> {
		const call = await run.readModelCall(paused.branch);
		const document = await vscode.workspace.openTextDocument(createReplyText(call, vscode.l10n.t));
		this.#documents.set(String(document.uri), { run, paused, call });
		this.#updateContext();
		this.#changed.fire();
		return document;
	}

	async #copyPrompt(number: unknown): Promise<void> {
		const { run, paused } = this.#findCall(number);
		await vscode.env.clipboard.writeText(formatPrompt(await run.readModelCall(paused.branch)));
		vscode.window.setStatusBarMessage(vscode.l10n.t('Prompt copied'), 3000);
	}

	async #sendReply(argument: unknown): Promise<void> {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const reply = this.#documents.get(String(uri));
		const document = vscode.workspace.textDocuments.find(each => String(each.uri) === String(uri));
		if (!reply || !document) {
			throw new Problem('no-model-call', vscode.l10n.t("This document isn't the reply to a model call."));
		}
		const { run, paused, call } = reply;
		if (!isPausedAt(run, paused)) {
			throw new Problem('no-model-call', vscode.l10n.t("The run isn't paused at this model call anymore."));
		}
		await run.answerModelCall(paused, parseReplyText(call, document.getText(), vscode.l10n.t));
		this.#forgetDocument(document.uri);
		await closeWithoutSaving(document);
	}

	/** Finds the call with a number, or the one that the active run stopped at. */
	#findCall(number: unknown): { readonly run: AnswerableRun; readonly paused: PausedModelCall } {
		const run = this.#getActiveRun();
		const calls = run?.modelCalls ?? [];
		const paused = typeof number === 'number' ? calls.find(each => each.number === number) : calls[0];
		if (!run || !paused) {
			throw new Problem('no-model-call', vscode.l10n.t("The run isn't paused at a model call."));
		}
		return { run, paused };
	}

	#forgetDocument(uri: vscode.Uri): void {
		const reply = this.#documents.get(String(uri));
		if (reply) {
			this.#documents.delete(String(uri));
			this.#opened.get(reply.run)?.delete(reply.paused.number);
			this.#updateContext();
		}
	}

	#updateContext(): void {
		const uris = [...this.#documents.keys()].map(uri => vscode.Uri.parse(uri));
		void vscode.commands.executeCommand('setContext', documentsContext, uris);
	}
}

function isPausedAt({ modelCalls }: AnswerableRun, { branch, number }: PausedModelCall): boolean {
	return modelCalls.some(each => each.branch === branch && each.number === number);
}

/**
 * Closes an untitled document. The user isn't asked to save it, because the reply was sent and an empty document has nothing to save. Not
 * by a command for the active editor: the run may have stopped again, which shows another file, and that file's changes would be lost.
 */
async function closeWithoutSaving({ uri, lineCount }: vscode.TextDocument): Promise<void> {
	const edit = new vscode.WorkspaceEdit();
	edit.delete(uri, new vscode.Range(0, 0, lineCount, 0));
	if (await vscode.workspace.applyEdit(edit)) {
		await vscode.window.tabGroups.close(findTabs(uri));
	}
}

/** Returns the column that shows a document. */
function findColumn({ uri }: vscode.TextDocument): vscode.ViewColumn | undefined {
	return findTabs(uri)[0]?.group.viewColumn;
}

function findTabs(uri: vscode.Uri): readonly vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
	return tabs.filter(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri));
}
