import { isDeepEqual } from '#base/records/plainValues.ts';
import { createLineEnding } from '../lastLine.ts';
import { AgentReading } from '../reading/agentReading.ts';
import { EditWriter } from './editWriter.ts';
import type { Writing } from './fieldWriter.ts';
import { moveValues } from './movedValues.ts';
import { Pieces, Unwritable } from './pieces.ts';
import { SharedValues } from './sharedValues.ts';
import { applyChanges, type TextChange, trimChange } from './textChanges.ts';
import { applyEdits, toPlainValue, type ValueEdit } from './valueEdits.ts';
import { readStyle } from './yamlStyle.ts';

/**
 * Computes the smallest text changes for edits. Everything else keeps its bytes. An aliased or merged value is overridden locally. The
 * changed text is parsed again to verify the result.
 * @throws {Unwritable} if the text is written in a way that an edit can't be applied to
 */
export function writeEdits(read: AgentReading, edits: readonly ValueEdit[], refusals: Writing['refusals']): readonly TextChange[] {
	try {
		return computeChanges(read, edits, refusals);
	} catch (cause) {
		const { text, document } = read;
		const ending = document && createLineEnding(document, text, readStyle(text, document).eol);
		if (!ending || !(cause instanceof Unwritable)) {
			throw cause;
		}
		// a block scalar at the end of the text needs a final line break before it can be followed by something
		const ended = applyChanges(text, ending);
		const written = applyChanges(ended, computeChanges(new AgentReading(ended), edits, refusals));
		const change = trimChange(text, { offset: 0, length: text.length, text: written });
		return change ? [change] : [];
	}
}

function computeChanges(read: AgentReading, edits: readonly ValueEdit[], refusals: Writing['refusals']): readonly TextChange[] {
	const { text, document, content } = read;
	if (!document) {
		throw new Unwritable(refusals.place);
	}
	const shared = new SharedValues(document);
	const style = readStyle(text, document);
	const gatherChanges = (): Writing => {
		const writing = { text, style, pieces: new Pieces(text), shared, refusals };
		new EditWriter(writing, document, content).collectChanges(edits);
		return writing;
	};
	let writing = gatherChanges();
	let moved: readonly string[] = [];
	if (shared.listOrphanedAliases().length > 0) {
		// collect again, because overrides of aliases depend on which values are moved
		writing = gatherChanges();
		moved = moveValues(writing);
	}
	const refusal = moved[0] === undefined ? refusals.place : refusals.shared(moved[0]);
	const changes = writing.pieces.getChanges(refusal);
	const { content: after, error } = new AgentReading(applyChanges(text, changes), read.parts);
	if (error?.kind === 'size') {
		throw new Unwritable(refusals.size(error.localizable));
	}
	const wanted = applyEdits(content, edits);
	if (error || !(isDeepEqual(after, wanted) || isDeepEqual(toPlainValue(after), toPlainValue(wanted)))) {
		throw new Unwritable(refusal);
	}
	return changes;
}
