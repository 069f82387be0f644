import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editMessagesBody } from '#models/edits/messagesEdits.ts';
import { findTopLevelFields, readFieldValue } from '#models/edits/topLevelFields.ts';

describe('top-level fields of a JSON object', () => {
	it('are those that JSON.parse finds, with their values, in any formatting', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 }),
				fc.constantFrom(undefined, 1, '\t', ' \r\n'),
				(object, indent) => {
					const json = Buffer.from(` ${JSON.stringify(object, null, indent)}\n`);
					const expected = JSON.parse(json.toString()) as Record<string, unknown>;
					const fields = findTopLevelFields(json);
					assert.ok(fields);
					assert.deepEqual([...fields.keys()].sort(), Object.keys(expected).sort());
					for (const [name, span] of fields) {
						assert.deepEqual(readFieldValue(json, span), expected[name]);
					}
				},
			),
		);
	});

	it('use the last of several fields with one name, and handle escaped quotes and backslashes', () => {
		const json = Buffer.from(String.raw`{"a":"\\","model":"x\"}{","b":[{"model":1}],"mod\u0065l":"y"}`);
		const fields = findTopLevelFields(json);
		const span = fields?.get('model');
		assert.ok(span);
		assert.equal(readFieldValue(json, span), 'y');
	});

	it("refuses text that isn't an object, or an incomplete one", () => {
		for (const text of [
			'',
			' ',
			'[]',
			'"a"',
			'1',
			'{',
			'{"a"',
			'{"a":',
			'{"a":1',
			'{"a":"',
			'{"a":1,}',
			'{"a":1}x',
			'{a:1}',
			'{"a" 1}',
			'{"a":}',
		]) {
			assert.equal(findTopLevelFields(Buffer.from(text)), undefined, text);
		}
		assert.equal(findTopLevelFields(Buffer.from('{}'))?.size, 0);
		assert.equal(findTopLevelFields(Buffer.from('\uFEFF{"a":1}'))?.size, 1);
	});

	it('are found in a body of 20 MB of image without parsing it', () => {
		const image = 'A'.repeat(20 * 1024 * 1024);
		const json = Buffer.from(`{"messages":[{"content":[{"data":"${image}"}]}],"model":"m"}`);
		const span = findTopLevelFields(json)?.get('model');
		assert.equal(span && readFieldValue(json, span), 'm');
		const took = measureQuickest(() => findTopLevelFields(json));
		const aByte = measureQuickest(() => json.reduce((sum, byte) => sum ^ byte));
		assert.ok(took < aByte, `${took} ms, where a look at each byte takes ${aByte}`);
	});
});

describe('edits of a message body', () => {
	const applyEdit = (text: string, model?: string, countsOnly = false) => {
		const body = Buffer.from(text);
		return editMessagesBody(body, findTopLevelFields(body) ?? new Map(), model, countsOnly).toString();
	};

	it("aren't needed if the body already fits the service", () => {
		const body = Buffer.from('{"model":"a","max_tokens":1}');
		assert.equal(editMessagesBody(body, findTopLevelFields(body) ?? new Map(), undefined, false), body);
	});

	it('change only the model, the name of tool_choices and the missing max_tokens', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
				fc.string(),
				fc.option(fc.integer()),
				fc.boolean(),
				(rest, model, limit, hasChoices) => {
					const object: Record<string, unknown> = {
						...rest,
						...(hasChoices && { tool_choices: { type: 'any' } }),
						model: 'before',
						...(limit !== null && { max_tokens: limit }),
					};
					if (Object.hasOwn(object, 'tool_choice') || Object.hasOwn(object, '__proto__')) {
						return;
					}
					const { tool_choices, ...others } = object;
					assert.deepEqual(
						JSON.parse(applyEdit(JSON.stringify(object), model)),
						JSON.parse(
							JSON.stringify({
								max_tokens: 4096,
								...others,
								...(tool_choices !== undefined && { tool_choice: tool_choices }),
								model,
							}),
						),
					);
				},
			),
		);
	});

	it('keep both names if both are given, and add no limit to a token count', () => {
		const both = '{"tool_choices":1,"tool_choice":2,"model":"m"}';
		assert.equal(applyEdit(both, undefined, true), both);
	});
});

/** Returns the milliseconds of the fastest of five runs, because other work on the machine slows down only some of them. */
function measureQuickest(work: () => unknown): number {
	return Math.min(
		...Array.from({ length: 5 }, () => {
			const before = performance.now();
			work();
			return performance.now() - before;
		}),
	);
}
