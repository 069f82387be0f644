import * as vscode from 'vscode';
import { loadAgentSchema } from '#agentFile/checks/loadAgentSchema.ts';
import { nodeKinds } from '#agentFile/nodeKinds/nodeKinds.ts';
import { getNodeTypeTitles } from '#agentFile/nodeKinds/typeTitles.ts';
import type { AddableKind } from '#pages/graph/picture/graphProtocol.ts';
import { runInBackground } from '../../platform/background.ts';
import { graphPanelType } from '../../platform/names.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { CodeFiles } from '../code/codeFiles.ts';
import { GraphPanel, type GraphPanelParts, getGraphTitle } from './graphPanel.ts';
import type { GraphCommandTarget } from './panelCommands.ts';
import type { FormSources } from './panelForm.ts';

export interface GraphPanelsParts extends Omit<GraphPanelParts, 'kinds' | 'forms' | 'openField'> {
	readonly forms: Omit<FormSources, 'schema'>;
	/** Fires VS Code's change events for code documents. */
	readonly codeChanged: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

/** The document of a graph page. `isEditor` is true if the page replaces its text editor. */
interface GraphTarget {
	readonly document: vscode.TextDocument;
	readonly isEditor: boolean;
}

/** Manages the open graphs, both those next to a text editor and those that replace one. */
export class GraphPanels extends WebviewPages<GraphTarget, GraphPanel> implements vscode.CustomTextEditorProvider {
	/** Opens the code of nodes as documents. */
	readonly code: CodeFiles;

	constructor(extensionUri: vscode.Uri, parts: GraphPanelsParts) {
		const schema = loadAgentSchema(extensionUri.fsPath, vscode.l10n.t);
		const code = new CodeFiles(parts.codeChanged, parts.readings);
		const panelParts = {
			...parts,
			kinds: listAddableNodeTypes(schema.types),
			forms: { ...parts.forms, schema },
			openField: (...place: Parameters<CodeFiles['openField']>) => code.openField(...place),
		};
		super(extensionUri, {
			name: 'graph',
			type: graphPanelType,
			title: vscode.l10n.t('Graph'),
			create: (panel, { document, isEditor }) => new GraphPanel(panel, document, panelParts, isEditor),
			parseSaved: () => undefined,
		});
		this.code = this.register(code);
		this.register(
			vscode.workspace.onDidRenameFiles(({ files }) => {
				for (const { oldUri, newUri } of files) {
					runInBackground(this.#followRename(oldUri, newUri), parts.log, 'Following a renamed file');
				}
			}),
		);
	}

	/** Opens or reveals the graph of an agent file next to its text. */
	openGraph(document: vscode.TextDocument): void {
		const isShown = vscode.window.activeTextEditor?.document === document;
		const column = isShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
		this.openPage({ document, isEditor: false }, page => !page.isEditor && page.uri.toString() === document.uri.toString(), column);
	}

	/** Returns the argument for commands if a graph is the active editor. */
	async createCommandTarget(): Promise<GraphCommandTarget | undefined> {
		return this.pages.find(({ isActive }) => isActive)?.commands.createTarget();
	}

	/** Restores a graph that was open when the window was closed. */
	override async restorePanel(panel: vscode.WebviewPanel, state: { readonly uri?: unknown } | undefined): Promise<void> {
		let document: vscode.TextDocument | undefined;
		try {
			document = typeof state?.uri === 'string' ? await vscode.workspace.openTextDocument(vscode.Uri.parse(state.uri)) : undefined;
		} catch {
			// the file was deleted, so don't restore its graph
		}
		if (document && !this.#beside.some(({ uri }) => uri.toString() === document.uri.toString())) {
			this.fillPanel(panel, { document, isEditor: false });
		} else {
			panel.dispose();
		}
	}

	/** Shows the graph instead of the text editor (*Reopen Editor With…*). */
	resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
		this.fillEditor(panel, { document, isEditor: true }, getGraphTitle(document.uri));
	}

	/** The graphs next to text editors. */
	get #beside(): readonly GraphPanel[] {
		return this.pages.filter(({ isEditor }) => !isEditor);
	}

	/** Updates graphs after files or folders were renamed. VS Code itself updates those that replace a text editor. */
	async #followRename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
		for (const page of this.#beside) {
			const { uri } = page;
			const inside = uri.path === from.path ? '' : uri.path.startsWith(`${from.path}/`) ? uri.path.slice(from.path.length) : undefined;
			if (uri.scheme === from.scheme && uri.authority === from.authority && inside !== undefined) {
				page.followRename(await vscode.workspace.openTextDocument(to.with({ path: to.path + inside })));
			}
		}
	}
}

/** Returns the node types that can be added. `help` has the description of each type from media/agent.schema.json. */
function listAddableNodeTypes(help: ReadonlyMap<string, string>): readonly AddableKind[] {
	const titles = getNodeTypeTitles(vscode.l10n);
	return nodeKinds.flatMap(({ type, icon, snippet }) =>
		snippet ? [{ type, icon, title: titles[type] ?? type, help: help.get(type) ?? '' }] : [],
	);
}
