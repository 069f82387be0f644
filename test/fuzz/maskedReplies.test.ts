import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyMask } from '#models/keyMask.ts';
import { MaskedEvents } from '#models/maskedEvents.ts';
import { MaskedReply } from '#models/maskedReply.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1);
const keys = ['sk-up/stream+key=="1"', `sk-ant-${'aB3/x+'.repeat(30)}`, `AIza${'Sy'.repeat(40)}_-`, `clé-ключ/日本+😀-${'éa'.repeat(40)}`];
const quotes: readonly ((key: string) => string)[] = [
	key => key,
	escapeJson,
	encodeURIComponent,
	key => Buffer.from(key).toString('base64'),
	key => Buffer.from(key).toString('base64url'),
	key => escapeJson(key).replaceAll('/', '\\/'),
	key =>
		key
			.split('')
			.map(character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	key => escapeJson(key).replaceAll('+', '\\u002B'),
	key => escapeJson(key).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
];
const filler = fc
	.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('x'.repeat(70_000), 'é'.repeat(40_000), '}, ', '],', 'a":"b'))
	.map(escapeJson);
const kinds = ['object', 'list', 'text', 'event', 'events'] as const;

function createErrorReply(kind: (typeof kinds)[number], quoted: string, [before, after]: readonly [string, string]): string {
	const error = `{"error":{"code":401,"message":"${before} bad key ${quoted} ${after}"}}`;
	switch (kind) {
		case 'object':
			return error;
		case 'list':
			return `[{"text":"${after}"},\n${error}]`;
		case 'text':
			return `bad key ${quoted}`;
		case 'event':
			return `data: ${error}\n\n`;
		case 'events':
			return `data: {"text":"${after}"}\n\nevent: error\ndata: ${error}\n\ndata: [DONE]\n\n`;
	}
}

describe('masked replies', () => {
	it('are the same however a reply is split', () => {
		const cuts = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(
				fc.constantFrom(...keys),
				fc.constantFrom(...quotes),
				fc.constantFrom(...kinds),
				fc.tuple(filler, filler),
				cuts,
				(key, quote, kind, fillers, sizes) => {
					const quoted = quote(key);
					const text = createErrorReply(kind, quoted, fillers);
					const mask = new KeyMask(key);
					const reply = kind.startsWith('event') ? new MaskedEvents(mask) : new MaskedReply(mask, 'application/json');
					const bytes = Buffer.from(text);
					const sent: Buffer[] = [];
					for (let at = 0, cut = 0; at < bytes.length; cut++) {
						const size = sizes[cut % sizes.length] ?? 1;
						sent.push(reply.add(bytes.subarray(at, at + size)));
						at += size;
					}
					sent.push(reply.endReply());
					assert.ok(Buffer.concat(sent).toString() === text.replace(quoted, '[key]'));
				},
			),
			{ numRuns: fuzzRuns },
		);
	});
});
