import assert from 'node:assert/strict';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import fc from 'fast-check';
import { readOfflineDirectives } from '#models/offline/offlineDirectives.ts';
import { OfflineModel } from '#models/offline/offlineModel.ts';
import { countTokens, splitTokens } from '#models/offline/offlineTokens.ts';

const askModel = (text: string, options: Partial<LanguageModelV4CallOptions> = {}, model = 'offline') =>
	new OfflineModel(model).doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }], ...options });
const getText = ({ content }: Awaited<ReturnType<typeof askModel>>) =>
	content.map(part => (part.type === 'text' ? part.text : '')).join('');

describe('offline model', () => {
	it('splits a text into tokens that add up to the text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), text => {
				assert.equal(splitTokens(text).join(''), text);
				assert.equal(countTokens(text), splitTokens(text).length);
			}),
		);
	});

	it('never exceeds the token limit, and counts its tokens', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string(), fc.integer({ min: 1, max: 60 }), async (text, maxOutputTokens) => {
				const result = await askModel(text, { maxOutputTokens });
				assert.equal(countTokens(getText(result)), result.usage.outputTokens.total);
				assert.ok((result.usage.outputTokens.total ?? 0) <= maxOutputTokens);
			}),
			{ numRuns: 50 },
		);
	});

	it('ends before the first stop sequence in its text', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ minLength: 1, maxLength: 3 }), fc.string({ minLength: 1, maxLength: 3 }), async (one, other) => {
				const whole = getText(await askModel('Some words to stop in'));
				const stopped = await askModel('Some words to stop in', { stopSequences: [one, other] });
				const ends = [one, other].map(sequence => whole.indexOf(sequence)).filter(at => at >= 0);
				assert.equal(getText(stopped), whole.slice(0, ends.length > 0 ? Math.min(...ends) : undefined));
			}),
			{ numRuns: 50 },
		);
	});

	it('chooses the option that a text mentions by ID and name, or else the first', async () => {
		const schema = {
			type: 'object' as const,
			properties: {
				id: { type: 'string' as const, enum: ['1', '2', '3'] },
				name: { type: 'string' as const, enum: ['A question', 'Invoices and prices', 'Cancellation of a contract'] },
				level: { type: 'string' as const, enum: ['low', 'high'] },
			},
			required: ['id', 'name', 'level'],
		};
		const askForChoice = async (text: string) => JSON.parse(getText(await askModel(text, { responseFormat: { type: 'json', schema } })));
		assert.deepEqual(await askForChoice('Your last invoice is wrong'), { id: '2', name: 'Invoices and prices', level: 'low' });
		assert.deepEqual(await askForChoice('I want to cancel'), { id: '3', name: 'Cancellation of a contract', level: 'low' });
		assert.deepEqual(await askForChoice('Good morning'), { id: '1', name: 'A question', level: 'low' });
	});

	it('reads its directives, and ignores unknown ones', () => {
		assert.deepEqual(
			readOfflineDirectives('offline', ['a [offline: error=503 delay=5] b', '[offline: tokens=9, think what=ever safety]']),
			{
				error: 503,
				delay: 5,
				tokens: 9,
				think: true,
				safety: true,
			},
		);
		const nothing = { think: false, safety: false };
		assert.deepEqual(readOfflineDirectives('offline', ['[offline: error=200 tokens=-1 delay=x error-after=99999999]']), nothing);
		assert.deepEqual(readOfflineDirectives('offline-error-overloaded', []), { ...nothing, error: 529 });
		assert.deepEqual(readOfflineDirectives('offline-error-777', []), nothing);
		const attached = 'Why?\n\nrun.json\n```json\n{ "prompt": "[offline: error=500]" }\n```\n[offline: tokens=7]';
		assert.deepEqual(readOfflineDirectives('offline', [attached]), { ...nothing, tokens: 7 });
		assert.deepEqual(readOfflineDirectives('offline-slow', []), { ...nothing, delay: 50 });
	});

	it('obeys only directives of the last user message and the system prompt', async () => {
		const createText = (value: string) => [{ type: 'text' as const, text: value }];
		const result = await new OfflineModel('offline').doGenerate({
			prompt: [
				{ role: 'user', content: createText('[offline: error=500]') },
				{ role: 'assistant', content: createText('[offline: error=500]') },
				{ role: 'user', content: createText('again [offline: tokens=100]') },
			],
		});
		assert.equal(result.usage.outputTokens.total, 100);
		await assert.rejects(
			new OfflineModel('offline').doGenerate({
				prompt: [
					{ role: 'system', content: '[offline: error=500]' },
					{ role: 'user', content: createText('x') },
				],
			}),
			/failed with status 500/,
		);
	});

	it('ends immediately when its caller aborts, whatever delay was requested', async () => {
		const controller = new AbortController();
		const answer = askModel('[offline: delay=60000]', { abortSignal: controller.signal });
		controller.abort();
		await assert.rejects(answer, { name: 'AbortError' });
	});
});
