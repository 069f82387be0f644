import * as vscode from 'vscode';
import { createAgentOutline } from '#agentFile/names/agentOutline.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { Problem } from '#base/problems.ts';
import type { Mention } from '#pages/chat/panel/panelProtocol.ts';
import { readAgentFolderNames } from '../../connections/gateway/agentFolders.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { createAttachment } from '../attachments/attachments.ts';
import { readFileBytes } from '../attachments/fileAttachments.ts';
import { findBlocks } from '../code/codeBlocks.ts';
import { splitLines } from '../code/lines.ts';
import type { LastEditor } from '../lastEditor.ts';
import { createFileMention } from './fileKinds.ts';
import { FileReadings } from './fileReadings.ts';
import type { AttachablePart, ContextKind } from './messageContext.ts';

/** A named range of a file. Line indexes start at 0; `to` is inclusive. */
interface NamedRange {
	readonly uri: string;
	readonly name: string;
	readonly from: number;
	readonly to: number;
}

/** The symbols of the workspace, as its languages list them, and those of the last used editor. */
export function createSymbolKind(editors: LastEditor): ContextKind {
	return {
		id: 'symbols',
		icon: 'symbol-misc',
		label: vscode.l10n.t('Symbols'),
		isSlow: true,
		find: async (query, alone) => (query || alone ? findSymbols(editors, query) : []),
		async read(reference) {
			const known: NamedRange = JSON.parse(reference);
			const uri = vscode.Uri.parse(known.uri);
			const document = await vscode.workspace.openTextDocument(uri);
			const { from, to } = await findSymbolRange(document, known);
			return createRangePart(uri, document.languageId, document.getText(), from, to);
		},
	};
}

async function findSymbols(editors: LastEditor, query: string): Promise<readonly Mention[]> {
	const document = editors.get()?.document;
	const [near, far] = await Promise.all([
		document ? listDocumentSymbols(document.uri) : [],
		query ? vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query) : [],
	]);
	const wanted = query.toLowerCase();
	const mentions = [
		...near
			.filter(({ name }) => name.toLowerCase().includes(wanted))
			.map(({ name, kind, range }) => createSymbolMention(document!.uri, name, kind, range)),
		...(far ?? []).map(({ name, kind, location }) => createSymbolMention(location.uri, name, kind, location.range)),
	];
	return [...new Map(mentions.map(mention => [`${mention.name} ${mention.detail}`, mention])).values()];
}

function createSymbolMention(uri: vscode.Uri, name: string, kind: vscode.SymbolKind, range: vscode.Range): Mention {
	const known: NamedRange = { uri: String(uri), name, from: range.start.line, to: range.end.line };
	const icon = vscode.SymbolKind[kind]?.replaceAll(/(?<=[a-z])[A-Z]/g, letter => `-${letter}`).toLowerCase() ?? 'misc';
	const detail = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
	return { source: `symbols:${JSON.stringify(known)}`, icon: `symbol-${icon}`, name, detail, text: name };
}

interface FoundSymbol {
	readonly name: string;
	readonly kind: vscode.SymbolKind;
	readonly range: vscode.Range;
}

/** Returns the symbols of a document, including nested ones. */
async function listDocumentSymbols(uri: vscode.Uri): Promise<FoundSymbol[]> {
	const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
		'vscode.executeDocumentSymbolProvider',
		uri,
	);
	const listAll = (symbol: vscode.DocumentSymbol | vscode.SymbolInformation): FoundSymbol[] =>
		'location' in symbol
			? [{ name: symbol.name, kind: symbol.kind, range: symbol.location.range }]
			: [symbol, ...symbol.children.flatMap(listAll)];
	return (found ?? []).flatMap(listAll);
}

/** Finds the lines of a symbol in the current text. Languages without an outline report only the line of its name. */
async function findSymbolRange(document: vscode.TextDocument, { name, from, to }: NamedRange): Promise<{ from: number; to: number }> {
	const symbols = await listDocumentSymbols(document.uri).catch(() => []);
	const [nearest] = symbols
		.filter(symbol => symbol.name === name)
		.sort((a, b) => Math.abs(a.range.start.line - from) - Math.abs(b.range.start.line - from));
	if (nearest) {
		return { from: nearest.range.start.line, to: nearest.range.end.line };
	}
	const block = findBlocks(splitLines(document.getText()), document.languageId).find(({ head }) => head === from);
	return block ? { from: block.from, to: block.to - 1 } : { from, to };
}

/** Creates a part from lines of a file. Line indexes start at 0; `to` is inclusive. */
function createRangePart(uri: vscode.Uri, language: string, text: string, from: number, to: number): AttachablePart {
	const lines = splitLines(text).slice(from, to + 1);
	const { part } = createAttachment(vscode.l10n, vscode.workspace.asRelativePath(uri), Buffer.from(lines.join('\n')), String(uri));
	return part.kind === 'file' ? { ...part, language, lines: `${from + 1}-${from + lines.length}` } : part;
}

/** The agent files of the workspace. None in an untrusted workspace. */
export function createAgentKind(): ContextKind {
	return {
		id: 'agents',
		icon: 'type-hierarchy',
		label: vscode.l10n.t('Agents'),
		find: async (query, alone) =>
			query || alone
				? (await findAgentFiles())
						.filter(uri => getAgentName(uri).toLowerCase().includes(query.toLowerCase()))
						.map(uri => ({ ...createFileMention('agents', 'type-hierarchy', uri), name: getAgentName(uri), text: getAgentName(uri) }))
				: [],
		read: async reference => {
			const uri = vscode.Uri.parse(reference);
			return createAttachment(vscode.l10n, vscode.workspace.asRelativePath(uri), await readFileBytes(uri), String(uri)).part;
		},
	};
}

/** The nodes of the agent files of the workspace. None in an untrusted workspace. */
export function createNodeKind(): ContextKind {
	const readings = new FileReadings(text => listNodes(text).map(({ id, name, detail }) => ({ id, name, detail })));
	return {
		id: 'nodes',
		icon: 'circuit-board',
		label: vscode.l10n.t('Nodes'),
		isSlow: true,
		find: async (query, alone) =>
			query || alone
				? (await readings.readFiles(await findAgentFiles())).flatMap(([uri, nodes]) =>
						nodes
							.filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(query.toLowerCase()))
							.map(({ id, name, detail }) => ({
								source: `nodes:${JSON.stringify({ uri: String(uri), id })}`,
								icon: 'circuit-board',
								name,
								detail: `${getAgentName(uri)} · ${detail}`,
								text: name,
							})),
					)
				: [],
		async read(reference) {
			const { uri: file, id }: { uri: string; id: string } = JSON.parse(reference);
			const uri = vscode.Uri.parse(file);
			const text = Buffer.from(await readFileBytes(uri)).toString('utf8');
			const node = listNodes(text).find(each => each.id === id);
			if (!node) {
				throw new Problem('attachment', vscode.l10n.t("The node '{0}' no longer exists.", id));
			}
			const { offset, length } = node.whole;
			const countLines = (end: number) => splitLines(text.slice(0, end)).length - 1;
			return createRangePart(uri, 'yaml', text, countLines(offset), countLines(text.slice(0, offset + length).trimEnd().length));
		},
	};
}

/** Lists the nodes of an agent file. `id` identifies a node in its file: its ID, or its title if it has none. */
function listNodes(text: string) {
	const labels = { environment: '', conversation: '', formatEdgeCount: () => '' };
	return createAgentOutline(new AgentReading(text), labels)
		.filter(({ kind }) => kind === 'node')
		.map(({ name, detail, whole, named }) => ({ id: text.slice(named.offset, named.offset + named.length) || name, name, detail, whole }));
}

function getAgentName(uri: vscode.Uri): string {
	return uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
}

/** Maximum number of agent files to search for nodes. */
const mostAgentFiles = 100;

async function findAgentFiles(): Promise<vscode.Uri[]> {
	if (!isWorkspaceTrusted()) {
		return [];
	}
	const patterns = (vscode.workspace.workspaceFolders ?? []).flatMap(folder =>
		readAgentFolderNames(folder.uri).map(name => new vscode.RelativePattern(vscode.Uri.joinPath(folder.uri, name), '*.{yml,yaml}')),
	);
	const found = await Promise.all(patterns.map(pattern => vscode.workspace.findFiles(pattern, null, mostAgentFiles)));
	return found
		.flat()
		.sort((a, b) => a.path.localeCompare(b.path))
		.slice(0, mostAgentFiles);
}
