import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import type { Translate } from '#base/text/localization.ts';
import type { Point } from '../layout/geometry.ts';
import { findNameOccurrences } from '../names/agentNames.ts';
import { createRenameChanges, explainFixedName, explainRefusedName } from '../names/renaming.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import type { Refusals } from '../writing/fieldWriter.ts';
import { Unwritable } from '../writing/pieces.ts';
import type { TextChange } from '../writing/textChanges.ts';
import type { ValueEdit } from '../writing/valueEdits.ts';
import { writeEdits } from '../writing/writeEdits.ts';
import { addNode } from './adding.ts';
import { arrangeGraph } from './arranging.ts';
import { startAgent, startNodes } from './beginning.ts';
import { connectNodes, disconnectNodes } from './connecting.ts';
import { deleteNodes } from './deleting.ts';
import { EditedFile, Refused } from './editedFile.ts';
import { insertItem, moveItem, removeItem, setField } from './fields.ts';
import type { EditResult, FieldOperation, GraphOperation } from './graphOperations.ts';
import { duplicateNodes, pasteNodes } from './pasting.ts';
import { createPositionEdits } from './places.ts';
import { wrapNodes } from './wrapping.ts';

/** Edits of an operation, with the IDs of new nodes. */
interface Planned {
	readonly edits: readonly ValueEdit[];
	readonly made?: readonly string[];
}

/**
 * Computes the smallest text changes for an operation, or the reason why it can't be done. Everything else keeps its bytes: comments,
 * anchors, quotes, the order of fields.
 * @param text the text, or its reading if the caller has one
 * @param t `vscode.l10n.t`, for the reason
 */
export function applyOperation(text: string | AgentReading, operation: GraphOperation, t: Translate = fillPlaceholders): EditResult {
	try {
		if (operation.do === 'begin') {
			const changes = startAgent(text, operation);
			return changes ? { changes, made: startNodes } : { refused: t("The file isn't empty. Create new agents in an empty file.") };
		}
		const file = new EditedFile(text, t);
		if (operation.do === 'rename') {
			return { changes: renameNode(file, operation.node, operation.id), made: [] };
		}
		const { edits, made = [] } = planEdits(file, operation);
		return { changes: writeEdits(file.read, edits, createRefusals(t)), made };
	} catch (error) {
		if (error instanceof Refused || error instanceof Unwritable) {
			return { refused: error.message };
		}
		throw error;
	}
}

function planEdits(file: EditedFile, operation: Exclude<GraphOperation, { do: 'rename' | 'begin' }>): Planned {
	switch (operation.do) {
		case 'add':
			return addNode(file, operation);
		case 'connect':
			return { edits: connectNodes(file, operation.from, operation.target) };
		case 'disconnect':
			return { edits: disconnectNodes(file, operation.from, operation.target) };
		case 'move':
			return { edits: moveNodes(file, operation.nodes) };
		case 'delete':
			return { edits: deleteNodes(file, operation.nodes) };
		case 'editFields':
			return { edits: operation.edits.flatMap(edit => planFieldEdit(file, edit)) };
		case 'set':
		case 'insertItem':
		case 'removeItem':
		case 'moveItem':
			return { edits: planFieldEdit(file, operation) };
		case 'duplicate':
			return duplicateNodes(file, operation.nodes);
		case 'paste':
			return pasteNodes(file, operation);
		case 'wrap':
			return wrapNodes(file, operation.nodes, operation.container);
		case 'arrange':
			return { edits: arrangeGraph(file) };
	}
}

function planFieldEdit(file: EditedFile, operation: FieldOperation): ValueEdit[] {
	switch (operation.do) {
		case 'set':
			return setField(file, operation.node, operation.path, operation.value);
		case 'insertItem':
			return insertItem(file, operation.node, operation.path, operation.at, operation.value);
		case 'removeItem':
			return removeItem(file, operation.node, operation.path, operation.at);
		case 'moveItem':
			return moveItem(file, operation.node, operation.path, operation.at, operation.to);
	}
}

function moveNodes(file: EditedFile, nodes: readonly ({ readonly id: string } & Point)[]): ValueEdit[] {
	for (const { id } of nodes) {
		file.getNodeIndex(id);
	}
	return createPositionEdits(file, new Map(nodes.map(({ id, x, y }) => [id, { x, y }])));
}

/** Creates the messages for edits that can't be written. */
function createRefusals(t: Translate): Refusals {
	return {
		shared: anchor => t("The value is also used elsewhere through the alias '*{0}'. Change it in the text editor.", anchor),
		size: excess => t("Couldn't make the change. {0}", translateMessage(excess, t)),
		place: t("This part of the file uses YAML syntax that can't be edited here. Change it in the text editor."),
	};
}

/** Changes the ID of a node everywhere. */
function renameNode(file: EditedFile, id: string, wanted: string): readonly TextChange[] {
	file.getNode(id);
	const places = findNameOccurrences(file.read);
	const name = { scope: id, offset: 0, length: 0, declares: true, plain: true };
	const refused = id === wanted ? undefined : (explainFixedName(places, name, file.t) ?? explainRefusedName(places, name, wanted, file.t));
	if (refused !== undefined) {
		throw new Refused(refused);
	}
	return id === wanted ? [] : createRenameChanges(places, name, wanted);
}
