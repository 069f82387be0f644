import * as vscode from 'vscode';
import { filterOccurrences, findNameAt, findNameOccurrences, type NamePlace } from '#agentFile/names/agentNames.ts';
import { createAgentOutline, type OutlineEntry } from '#agentFile/names/agentOutline.ts';
import { createRenameChanges, explainFixedName, explainRefusedName } from '#agentFile/names/renaming.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { Problem } from '#base/problems.ts';
import type { AgentReadings } from '../files/agentReadings.ts';

const kinds: Readonly<Record<OutlineEntry['kind'], vscode.SymbolKind>> = {
	variables: vscode.SymbolKind.Namespace,
	variable: vscode.SymbolKind.Variable,
	node: vscode.SymbolKind.Function,
	edges: vscode.SymbolKind.Array,
};

/** Provides the outline, breadcrumbs, definitions, references and renaming in agent files. */
export class AgentNavigation
	implements vscode.DocumentSymbolProvider, vscode.DefinitionProvider, vscode.ReferenceProvider, vscode.RenameProvider
{
	readonly #readings: AgentReadings;
	/** Cached, because VS Code requests definitions on every mouse move. */
	readonly #names = new WeakMap<AgentReading, readonly NamePlace[]>();

	constructor(readings: AgentReadings) {
		this.#readings = readings;
	}

	async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
		const labels = {
			environment: vscode.l10n.t('Environment variables'),
			conversation: vscode.l10n.t('Conversation variables'),
			formatEdgeCount: (count: number) => (count === 1 ? vscode.l10n.t('1 edge') : vscode.l10n.t('{0} edges', count)),
		};
		return createAgentOutline(await this.#readings.readDocument(document), labels).map(entry => createDocumentSymbol(entry, document));
	}

	/** Returns the declaration of a node or variable. For a variable that comes with the node's type, returns the node. */
	provideDefinition(document: vscode.TextDocument, position: vscode.Position): vscode.LocationLink[] {
		const places = this.#listNameOccurrences(document);
		const name = findNameAt(places, document.offsetAt(position));
		if (!name) {
			return [];
		}
		const found = [name, { scope: name.scope }].map(each => filterOccurrences(places, each).find(({ declares }) => declares)).find(Boolean);
		return found ? [{ originSelectionRange: toRange(name, document), targetUri: document.uri, targetRange: toRange(found, document) }] : [];
	}

	provideReferences(
		document: vscode.TextDocument,
		position: vscode.Position,
		{ includeDeclaration }: vscode.ReferenceContext,
	): vscode.Location[] {
		const places = this.#listNameOccurrences(document);
		const name = findNameAt(places, document.offsetAt(position));
		return name
			? filterOccurrences(places, name)
					.filter(({ declares }) => includeDeclaration || !declares)
					.map(place => new vscode.Location(document.uri, toRange(place, document)))
			: [];
	}

	/** Throws a {@link Problem} if there is nothing to rename at the position. */
	prepareRename(document: vscode.TextDocument, position: vscode.Position): vscode.Range {
		return toRange(this.#findRenamableName(document, position).name, document);
	}

	/** Throws a {@link Problem} if the new name isn't allowed. */
	provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, wanted: string): vscode.WorkspaceEdit {
		const { places, name } = this.#findRenamableName(document, position);
		const refused = explainRefusedName(places, name, wanted, vscode.l10n.t);
		if (refused !== undefined) {
			throw new Problem('name', refused);
		}
		const edit = new vscode.WorkspaceEdit();
		for (const change of createRenameChanges(places, name, wanted)) {
			edit.replace(document.uri, toRange(change, document), change.text);
		}
		return edit;
	}

	#findRenamableName(document: vscode.TextDocument, position: vscode.Position): { places: readonly NamePlace[]; name: NamePlace } {
		const places = this.#listNameOccurrences(document);
		const name = findNameAt(places, document.offsetAt(position));
		if (!name) {
			throw new Problem('name', vscode.l10n.t('Only node IDs and variable names can be renamed.'));
		}
		const fixed = explainFixedName(places, name, vscode.l10n.t);
		if (fixed !== undefined) {
			throw new Problem('name', fixed);
		}
		return { places, name };
	}

	#listNameOccurrences(document: vscode.TextDocument): readonly NamePlace[] {
		const reading = this.#readings.get(document);
		const places = this.#names.get(reading) ?? findNameOccurrences(reading);
		this.#names.set(reading, places);
		return places;
	}
}

function createDocumentSymbol(
	{ kind, name, detail, whole, named, children }: OutlineEntry,
	document: vscode.TextDocument,
): vscode.DocumentSymbol {
	const symbol = new vscode.DocumentSymbol(name, detail, kinds[kind], toRange(whole, document), toRange(named, document));
	symbol.children = children.map(child => createDocumentSymbol(child, document));
	return symbol;
}

function toRange({ offset, length }: { offset: number; length: number }, document: vscode.TextDocument): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
