import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Mention } from '#pages/chat/panel/panelProtocol.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { toOneLine } from '../../platform/wording.ts';
import { attachSelection, readFileBytes } from '../attachments/fileAttachments.ts';
import { FileReadings } from '../context/fileReadings.ts';
import type { MessageContext } from '../context/messageContext.ts';
import { listProblems } from '../context/windowKinds.ts';
import type { LastEditor } from '../lastEditor.ts';
import type { Chat } from '../transcripts/chat.ts';
import { fillPrompt, type PromptFile, type PromptVariable, parsePromptFile } from './promptFile.ts';

interface SlashCommand {
	readonly name: string;
	readonly icon: string;
	readonly detail: string;
	/** Returns the message to send instead. `rest` is the text after the command. Absent if the command starts a new chat. */
	expand?(chat: Chat, rest: string): Promise<string>;
}

/** What the list shows of a prompt file. Its prompt is read when it's used. */
type PromptHead = Omit<PromptFile, 'body'>;

/** Maximum number of prompt files in the list. */
const mostPromptFiles = 200;

/** The commands that `/` offers at the start of a message: built-in ones and the prompt files of the workspace. */
export class SlashCommands {
	readonly #editors: LastEditor;
	readonly #context: MessageContext;
	readonly #readings = new FileReadings((text): PromptHead => {
		const { name, description } = parsePromptFile(text);
		return { description, ...(name !== undefined && { name }) };
	});

	constructor(editors: LastEditor, context: MessageContext) {
		this.#editors = editors;
		this.#context = context;
	}

	/** Lists the commands whose name contains the text. */
	async listMentions(query: string): Promise<readonly Mention[]> {
		const wanted = query.toLowerCase();
		return (await this.#listCommands())
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.map(({ name, icon, detail }) => ({ icon, name: `/${name}`, detail, text: name }));
	}

	/**
	 * Returns the message to send instead of one that starts with a command, or `clear` to start a new chat. Attaches what the command is
	 * about. Returns undefined if the message doesn't start with a command.
	 */
	async expand(chat: Chat, text: string): Promise<{ readonly text: string } | 'clear' | undefined> {
		const [, typed] = /^\/(\S+)/.exec(text) ?? [];
		const rest = text.slice((typed?.length ?? 0) + 1);
		const command = typed === undefined ? undefined : (await this.#listCommands()).find(({ name }) => name === typed);
		return command && (command.expand ? { text: await command.expand(chat, rest.trim()) } : 'clear');
	}

	async #listCommands(): Promise<readonly SlashCommand[]> {
		const createCommand = (name: string, icon: string, detail: string, prompt: string): SlashCommand => ({
			name,
			icon,
			detail,
			expand: async (chat, rest) => {
				await this.#attachCode(chat, name === 'fix');
				return joinTexts(prompt, rest);
			},
		});
		const builtIn = [
			createCommand(
				'explain',
				'question',
				vscode.l10n.t('Explain the selected code or the open file'),
				vscode.l10n.t('Explain how this code works.'),
			),
			createCommand(
				'fix',
				'wrench',
				vscode.l10n.t('Fix the problems of the selected code or the open file'),
				vscode.l10n.t('Find the problems in this code and fix them. Show the changed functions as a whole.'),
			),
			createCommand(
				'tests',
				'beaker',
				vscode.l10n.t('Write tests for the selected code or the open file'),
				vscode.l10n.t('Write tests for this code, in the style of its project.'),
			),
			{ name: 'clear', icon: 'clear-all', detail: vscode.l10n.t('Start a new chat') },
		];
		const taken = new Set(builtIn.map(({ name }) => name));
		return [...builtIn, ...(await this.#listPromptFiles()).filter(({ name }) => !taken.has(name))];
	}

	/** Attaches the selection or the file of the last used editor, unless something is attached already or the chat is about something. */
	async #attachCode(chat: Chat, withProblems: boolean): Promise<void> {
		const { attachments, turns } = chat.transcript;
		const editor = this.#editors.get();
		if (attachments.length > 0) {
			return;
		}
		if (!editor) {
			if (turns.length === 0) {
				throw new Problem('no-editor', vscode.l10n.t('No file is open. Open one and select some text.'));
			}
			return;
		}
		attachSelection(chat, editor);
		const { uri } = editor.document;
		if (withProblems && listProblems(uri).length > 0) {
			await this.#context.attach(chat, `problems:${uri}`);
		}
	}

	async #listPromptFiles(): Promise<readonly SlashCommand[]> {
		if (!isWorkspaceTrusted()) {
			return [];
		}
		const folders = vscode.workspace.workspaceFolders ?? [];
		const found = await Promise.all(
			folders.map(folder =>
				vscode.workspace.findFiles(new vscode.RelativePattern(folder, '.github/prompts/*.prompt.md'), null, mostPromptFiles),
			),
		);
		const files = await this.#readings.readFiles(found.flat().slice(0, mostPromptFiles));
		return files.map(([uri, head]) => this.#createPromptCommand(uri, head)).sort((a, b) => a.name.localeCompare(b.name));
	}

	#createPromptCommand(uri: vscode.Uri, { name, description }: PromptHead): SlashCommand {
		return {
			name: name ?? path.posix.basename(uri.path, '.prompt.md').replaceAll(/\s+/g, '-'),
			icon: 'file-text',
			detail: toOneLine(description) || vscode.workspace.asRelativePath(uri),
			expand: async (chat, rest) => {
				const { body } = parsePromptFile(Buffer.from(await readFileBytes(uri)).toString('utf8'));
				return joinTexts(await fillPrompt(body, variable => this.#resolveVariable(chat, uri, variable)), rest);
			},
		};
	}

	async #resolveVariable(chat: Chat, uri: vscode.Uri, { name, input }: PromptVariable): Promise<string | undefined> {
		if (input) {
			const prompt = path.posix.basename(uri.path, '.prompt.md');
			const value = await vscode.window.showInputBox({
				title: prompt,
				prompt: input.name,
				placeHolder: input.placeholder,
				ignoreFocusOut: true,
			});
			if (value === undefined) {
				throw new Problem('canceled', vscode.l10n.t("The message wasn't sent, because '{0}' needs a value.", input.name));
			}
			return value;
		}
		const workspace = vscode.workspace.getWorkspaceFolder(uri)?.uri;
		switch (name) {
			case 'workspaceFolder':
				return workspace?.fsPath;
			case 'workspaceFolderBasename':
				return workspace && path.posix.basename(workspace.path);
			case 'selection':
			case 'selectedText': {
				const { document, selection } = this.#getEditor();
				return document.getText(selection);
			}
			case 'file':
				// models in this chat can't read files by their paths
				await this.#context.attach(chat, `files:${this.#getEditor().document.uri}`);
				return this.#getFile();
			case 'fileBasename':
				return path.posix.basename(this.#getFile());
			case 'fileBasenameNoExtension':
				return path.posix.parse(this.#getFile()).name;
			case 'fileDirname':
				return path.posix.dirname(this.#getFile());
			default:
				return undefined;
		}
	}

	#getFile(): string {
		return vscode.workspace.asRelativePath(this.#getEditor().document.uri);
	}

	#getEditor(): vscode.TextEditor {
		const editor = this.#editors.get();
		if (!editor) {
			throw new Problem('no-editor', vscode.l10n.t('No file is open. Open one and select some text.'));
		}
		return editor;
	}
}

function joinTexts(prompt: string, rest: string): string {
	return [prompt, rest].filter(text => text !== '').join('\n\n');
}
