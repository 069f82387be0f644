import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NodeError } from '#engine/nodes/nodeError.ts';
import { operatorNames } from '#engine/variables/comparison.ts';
import { areConditionsMet, conditionSchema, joinSchema } from '#engine/variables/conditions.ts';
import { resolveText } from '#engine/variables/references.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const value = fc.oneof(fc.jsonValue(), fc.constantFrom('{{#n.v#}}', '{{#n.v.k#}}', '{{#', '#}}', '1', 'true', ' ', '__proto__'));
const selector = fc.oneof(
	fc.constantFrom(['n', 'v'], ['n', 'v', 'k'], ['n', 'gone'], ['n', '__proto__'], ['constructor', 'name']),
	fc.array(fc.string(), { minLength: 2, maxLength: 4 }),
);
const operator = fc.oneof(fc.constantFrom(...operatorNames, ...operatorNames, 'unheard of', '__proto__'), fc.string());
const condition = fc.record(
	{
		variable_selector: selector,
		comparison_operator: operator,
		value,
		sub_variable_condition: fc.record({
			logical_operator: fc.constantFrom('and', 'or', null),
			conditions: fc.array(fc.record({ key: fc.constantFrom('size', 'type', 'constructor'), comparison_operator: operator, value }), {
				maxLength: 3,
			}),
		}),
	},
	{ requiredKeys: ['variable_selector', 'comparison_operator'] },
);

describe('any condition', () => {
	it('is true, false, or refused as an error of its node', () => {
		fc.assert(
			fc.property(fc.array(condition, { maxLength: 4 }), fc.constantFrom('and', 'or', null), value, (given, join, known) => {
				const conditions = given.flatMap(each => conditionSchema.safeParse(each).data ?? []);
				const variables = new VariablePool();
				variables.setAllValues('n', { v: known });
				try {
					assert.equal(typeof areConditionsMet(conditions, joinSchema.parse(join), variables), 'boolean');
				} catch (error) {
					assert.ok(error instanceof NodeError, String((error as Error).stack));
				}
			}),
			{ numRuns: fuzzRuns },
		);
	});
});

describe('any text with references', () => {
	it('is resolved to a text without an error, and everything but references stays unchanged', () => {
		const piece = fc.oneof(fc.string(), fc.constantFrom('{{#n.v#}}', '{{#n.v.k#}}', '{{#n#}}', '{{#', '#}}', '{{', '.', '#sys.files#'));
		fc.assert(
			fc.property(fc.array(piece), value, (pieces, known) => {
				const variables = new VariablePool();
				variables.setAllValues('n', { v: known });
				assert.equal(typeof resolveText(pieces.join(''), variables), 'string');
				const plain = pieces.join('').replaceAll('#', '');
				assert.equal(resolveText(plain, variables), plain);
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
