import * as z from 'zod';
import { areConditionsMet, conditionSchema, joinSchema } from '../variables/conditions.ts';
import { checkWeight } from '../variables/weight.ts';
import { defineNodeType } from './nodeType.ts';
import { createListSchema } from './schemas.ts';

const caseSchema = z.looseObject({
	case_id: z.string(),
	logical_operator: joinSchema,
	conditions: createListSchema(conditionSchema),
});

/** If-else node: takes the branch of the first case that is true, otherwise the `false` branch. */
export const ifElse = defineNodeType({
	type: 'if-else',
	schema: z
		.looseObject({ cases: z.array(caseSchema).nullish(), logical_operator: joinSchema, conditions: createListSchema(conditionSchema) })
		// older files have one case, on the node itself
		.transform(({ cases, logical_operator, conditions }) => cases ?? [{ case_id: 'true', logical_operator, conditions }]),
	run({ settings, variables, record }) {
		const inputs = {
			conditions: settings.flatMap(({ conditions }) =>
				conditions.map(condition => ({
					actual_value: variables.get(condition.variable_selector) ?? null,
					expected_value: condition.value ?? null,
					comparison_operator: condition.comparison_operator,
				})),
			),
		};
		// a long value in many conditions would be searched as often
		checkWeight(inputs);
		const chosen = settings.find(({ conditions, logical_operator }) => areConditionsMet(conditions, logical_operator, variables));
		const handle = chosen?.case_id ?? 'false';
		record.inputs = inputs;
		return { outputs: { result: chosen !== undefined, selected_case_id: handle }, handle };
	},
});
