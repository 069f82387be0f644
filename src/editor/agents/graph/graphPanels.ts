import * as vscode from 'vscode';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { nodeKinds } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AddableKind } from '#pages/graph/picture/graphProtocol.ts';
import { background } from '../../platform/background.ts';
import { graphPanelType } from '../../platform/names.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { CodeFiles } from '../code/codeFiles.ts';
import { GraphPanel, type GraphPanelParts, graphTitle } from './graphPanel.ts';
import type { FormSources } from './panelForm.ts';

export interface GraphPanelsParts extends Omit<GraphPanelParts, 'kinds' | 'forms' | 'openField'> {
	readonly forms: Omit<FormSources, 'schema'>;
	/** Tells the editor of programs that have another text now. */
	readonly codeChanged: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

/** The document whose graph a page shows; `isEditor`: in the place of its text. */
interface GraphTarget {
	readonly document: vscode.TextDocument;
	readonly isEditor: boolean;
}

/** The graphs that are open, beside their texts or in their place: loaded when the first one is. */
export class GraphPanels extends WebviewPages<GraphTarget, GraphPanel> implements vscode.CustomTextEditorProvider {
	/** Programs of nodes as documents. */
	readonly code: CodeFiles;

	constructor(extensionUri: vscode.Uri, parts: GraphPanelsParts) {
		const schema = AgentSchema.load(extensionUri.fsPath);
		const code = new CodeFiles(parts.codeChanged, parts.readings);
		const panelParts = {
			...parts,
			kinds: addableKinds(schema.types),
			forms: { ...parts.forms, schema },
			openField: (...place: Parameters<CodeFiles['open']>) => code.open(...place),
		};
		super(extensionUri, {
			name: 'graph',
			type: graphPanelType,
			title: vscode.l10n.t('Graph'),
			create: (panel, { document, isEditor }) => new GraphPanel(panel, document, panelParts, isEditor),
			saved: () => undefined,
		});
		this.code = this.own(code);
		this.own(
			vscode.workspace.onDidRenameFiles(({ files }) => {
				for (const { oldUri, newUri } of files) {
					background(this.#renamed(oldUri, newUri), parts.log, 'Graph of a file with another name');
				}
			}),
		);
	}

	/** Opens the graph of an agent file beside its text, or shows it again. */
	open(document: vscode.TextDocument): void {
		const isShown = vscode.window.activeTextEditor?.document === document;
		const column = isShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
		this.openPage({ document, isEditor: false }, page => !page.isEditor && page.uri.toString() === document.uri.toString(), column);
	}

	/** Restores a graph that was open when the window was closed. */
	override async restore(panel: vscode.WebviewPanel, state: { readonly uri?: unknown } | undefined): Promise<void> {
		let document: vscode.TextDocument | undefined;
		try {
			document = typeof state?.uri === 'string' ? await vscode.workspace.openTextDocument(vscode.Uri.parse(state.uri)) : undefined;
		} catch {
			// the file is gone, and with it what the panel could show
		}
		if (document && !this.#beside.some(({ uri }) => uri.toString() === document.uri.toString())) {
			this.fill(panel, { document, isEditor: false });
		} else {
			panel.dispose();
		}
	}

	/** The graph in the place of the text (*Reopen Editor With…*). */
	resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
		this.fillEditor(panel, { document, isEditor: true }, graphTitle(document.uri));
	}

	/** The graphs beside their texts. */
	get #beside(): readonly GraphPanel[] {
		return this.pages.filter(({ isEditor }) => !isEditor);
	}

	/** Graphs go with their files, as tabs of texts do. Graphs in the place of a text are moved by the editor itself. */
	async #renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
		for (const page of this.#beside) {
			const { uri } = page;
			const inside = uri.path === from.path ? '' : uri.path.startsWith(`${from.path}/`) ? uri.path.slice(from.path.length) : undefined;
			if (uri.scheme === from.scheme && uri.authority === from.authority && inside !== undefined) {
				page.renamed(await vscode.workspace.openTextDocument(to.with({ path: to.path + inside })));
			}
		}
	}
}

/** Words that are no words. */
const initials: Readonly<Record<string, string>> = { llm: 'LLM', http: 'HTTP' };

/** Types of nodes that can be added to a graph. `help`: what each does (media/agent.schema.json). */
function addableKinds(help: ReadonlyMap<string, string>): readonly AddableKind[] {
	return nodeKinds.flatMap(({ type, icon, snippet }) =>
		snippet ? [{ type, icon, title: kindTitle(type), help: help.get(type) ?? '' }] : [],
	);
}

/** A type as people say it: `http-request` is `HTTP request`. */
function kindTitle(type: string): string {
	const words = type.split('-').map(word => initials[word] ?? word);
	const text = words.join(' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
