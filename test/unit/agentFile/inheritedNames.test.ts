import assert from 'node:assert/strict';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { listVariableScopes } from '#agentFile/agentVariables.ts';
import { findNameOccurrences } from '#agentFile/names/agentNames.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { createHttpFault } from '#client/errors/faults.ts';
import { formatRunOutcome, getStatusIcon } from '#editor/platform/runWording.ts';
import { Redactor } from '#network/redaction.ts';
import { highlightCode } from '#pages/shared/grammars.ts';
import { getStatusCodicon } from '#runs/events/statusIcons.ts';
import { createInputFields } from '#runs/forms/inputFields.ts';
import { getFileKind, getMediaType } from '#runs/request/fileKind.ts';
import type { RunRecord } from '#runs/runTypes.ts';

/** Property names that every object inherits. */
const words = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'];

describe('a property name that all objects inherit', () => {
	for (const word of words) {
		it(`is an unknown name like any other: ${word}`, () => {
			assert.equal(getStatusCodicon(word), 'circle-outline');
			assert.equal(getStatusIcon(word).color, undefined);
			assert.match(formatRunOutcome({ status: word, startedAt: Date.now() } as RunRecord), new RegExp(`^just now · ${word}$`));
			assert.deepEqual([getFileKind(`a.${word}`), getMediaType(`a.${word}`)], ['document', undefined]);
			assert.equal(createInputFields([{ variable: word, label: '', type: word, required: true }])[0]?.kind, 'paragraph');
			assert.equal(
				highlightCode('x = 1', word, () => assert.fail()),
				undefined,
			);
			const body = JSON.stringify({ code: word, message: 'no' });
			assert.equal(typeof createHttpFault(400, {}, body, new Redactor([])).reason, 'string');
		});

		it(`is an unknown node type like any other: ${word}`, () => {
			const file = `app: { mode: workflow }\nworkflow:\n  graph:\n    nodes:\n      - id: one\n        data: { type: ${word}, title: One }\n    edges: []\n`;
			assert.ok(findNameOccurrences(new AgentReading(file)).length > 0);
			const content = { workflow: { graph: { nodes: [{ id: 'one', data: JSON.parse(`{"type":"${word}"}`) }], edges: [] } } };
			assert.deepEqual(listVariableScopes(readAgentGraph(content), () => false)[0]?.variables, []);
		});
	}
});
