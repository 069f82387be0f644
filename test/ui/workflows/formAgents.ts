const ask = `{type: human-input, title: Approve the notice, timeout: 2, timeout_unit: day,
          form_content: "## The notice\\n\\nIt goes to **{{#start.audience#}}**.\\n\\n- one\\n- two\\n\\n{{#$output.comment#}}\\n\\nHow urgent is it? {{#$output.level#}}",
          inputs: [{type: paragraph, output_variable_name: comment, default: {type: constant, value: Looks good}}, {type: select, output_variable_name: level, option_source: {type: constant, value: [low, high]}}, {type: file, output_variable_name: proof, allowed_file_types: [document, image]}],
          user_actions: [{id: send, title: Send it, button_style: primary}, {id: change, title: Ask for changes, button_style: default}, {id: later, title: Later, button_style: accent}, {id: drop, title: Drop it, button_style: ghost}],
          delivery_methods: [{id: d, type: webapp, enabled: true}]}`;

/** An agent that asks a person before it finishes. */
export const approver = `app: {name: approve, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [{variable: audience, label: Audience, type: text-input, required: true, max_length: 48}]}}
      - {id: ask, data: ${ask}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: comment, value_selector: [ask, comment]}, {variable: level, value_selector: [ask, level]}, {variable: action, value_selector: [ask, __action_value]}]}}
    edges:
      - {id: a, source: start, target: ask}
      - {id: b, source: ask, sourceHandle: send, target: end}
`;

/** A chat agent that asks a person before it replies. */
export const asker = `app: {name: asker, mode: advanced-chat}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: before, data: {type: answer, title: Before, answer: "Let me ask. "}}
      - {id: ask, data: {type: human-input, title: Is it right, form_content: "Is **it**? {{#$output.note#}}", inputs: [{type: paragraph, output_variable_name: note}], user_actions: [{id: sure, title: It is, button_style: primary}], timeout: 1, timeout_unit: day, delivery_methods: [{id: d, type: webapp, enabled: true}]}}
      - {id: after, data: {type: answer, title: After, answer: "You said: {{#ask.note#}}."}}
    edges:
      - {id: a, source: start, target: before}
      - {id: b, source: before, target: ask}
      - {id: c, source: ask, sourceHandle: sure, target: after}
`;
