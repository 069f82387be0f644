import * as z from 'zod';

const uploadMethod = () => z.enum(['local_file', 'remote_url']);

/** Source of a form's first value, or of its options: `constant` has `value`; `variable` names a value of the run by `selector`. */
const valueSource = () => ({ type: z.string(), selector: z.array(z.string()).exactOptional() });

/**
 * One field of a form (DSL additions, "human-input"): `paragraph`, `select`, `file`, `file-list` or one that newer services add. A
 * paragraph may be left empty; fields of the other types are required.
 */
const formInputSchema = () =>
	z.looseObject({
		type: z.string(),
		output_variable_name: z.string(),
		/** `paragraph`. */
		default: z
			.object({ ...valueSource(), value: z.string().exactOptional() })
			.nullable()
			.exactOptional(),
		/** `select`. Options that come from a variable are filled in when the run pauses (built-in gateway). */
		option_source: z.object({ ...valueSource(), value: z.array(z.string()).exactOptional() }).exactOptional(),
		/** `file`, `file-list`: kinds as in the contract's file object; extensions, as in `.md`, are those of the kind `custom`. */
		allowed_file_types: z.array(z.string()).exactOptional(),
		allowed_file_extensions: z.array(z.string()).exactOptional(),
		allowed_file_upload_methods: z.array(uploadMethod()).exactOptional(),
		/** `file-list`: most files. */
		number_limits: z.int().exactOptional(),
	});
export type FormInput = z.infer<ReturnType<typeof formInputSchema>>;

/** A way to submit a form; `id` is what a submission names. `button_style`: `primary`, `default`, `accent`, `ghost` or a newer one. */
const formActionSchema = () => z.object({ id: z.string(), title: z.string(), button_style: z.string() });
export type FormAction = z.infer<ReturnType<typeof formActionSchema>>;

/** Response of `GET /form/human_input/{form_token}`. */
export const humanInputFormSchema = () =>
	z.looseObject({
		/** Markdown; the positions of inputs are `{{#$output.NAME#}}`. */
		form_content: z.string(),
		inputs: z.array(formInputSchema()),
		/** First values of paragraphs that have them from a variable, as strings. */
		resolved_default_values: z.record(z.string(), z.string()),
		user_actions: z.array(formActionSchema()),
		/** Seconds since 1970 from which on no submission is accepted. */
		expiration_time: z.int().nullable(),
	});
export type HumanInputForm = z.infer<ReturnType<typeof humanInputFormSchema>>;

/** Query of a form's GET: the agent, which only gateways before other services need. */
export const formQuerySchema = z.object({
	model: z.string().min(1).optional().describe('Agent name. Optional: the token identifies the form.'),
});

/** Body of a form's POST. A file of `inputs` is a file object, a file list an array of them. */
export const formSubmissionSchema = z.looseObject({
	model: z.string().min(1).optional().describe('Agent name. Optional: the token identifies the form.'),
	inputs: z.record(z.string(), z.unknown()).describe("Values by the form's input names."),
	action: z.string().describe("ID of one of the form's actions."),
	user: z.string().min(1).describe('ID of the end user who answers.'),
});
export type FormSubmission = z.infer<typeof formSubmissionSchema>;

const flag = z.enum(['true', 'false']).transform(text => text === 'true');

/** Query of a run's events. Values are texts on the wire, and `true` or `false` in {@link FollowRunQuery}. */
export const runEventsQuerySchema = z.object({
	model: z.string().min(1),
	user: z.string().min(1).optional().describe('The user who started the run. Other users get 404.'),
	include_state_snapshot: flag.optional().describe('Whether to send past events first.'),
	continue_on_pause: flag.optional().describe('Whether to keep the stream open while the run is waiting for input.'),
});

/** How a run is followed. */
export interface FollowRunQuery {
	readonly model: string;
	/** The user that started the run; services of others want it, the built-in gateway gives the runs of all without. */
	readonly user?: string;
	/** Whether to send past events first. The built-in gateway sends them unless this is false; Dify sends them if it is true. */
	readonly include_state_snapshot?: boolean;
	/** Whether the stream stays open while the run waits for a person, until its end. */
	readonly continue_on_pause?: boolean;
}

/** Codes of refusals by the form endpoints: 400; 412 and 412. A token that names no form is 404 `not_found`. */
export const formRefusals = {
	invalid: 'invalid_form_data',
	submitted: 'human_input_form_submitted',
	expired: 'human_input_form_expired',
} as const;
