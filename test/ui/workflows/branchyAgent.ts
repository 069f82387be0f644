/** An agent without positions: a branch, a handled failure, a loop, and titles of realistic length. */
export const branchy = `app: {name: branchy, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: [{variable: text, label: Text, type: paragraph, required: false}]}}
      - {id: which, data: {type: if-else, title: Is there any text at all in what was sent to us by the caller of this workflow, cases: [{case_id: "yes", logical_operator: and, conditions: [{id: c, variable_selector: [start, text], comparison_operator: not empty, value: ""}]}]}}
      - {id: shaky, data: {type: code, title: Fails and is mended, error_strategy: fail-branch, code_language: javascript, variables: [], outputs: {x: {type: string}}, code: "function main() { throw new Error('The ledger of the harbour office could not be read: it is locked by another process'); }"}}
      - {id: well, data: {type: template-transform, title: All went well, template: well, variables: []}}
      - {id: mended, data: {type: template-transform, title: Mended, template: mended, variables: []}}
      - {id: empty, data: {type: template-transform, title: Nothing to do, template: nothing, variables: []}}
      - {id: again, data: {type: loop, title: Three times, start_node_id: again-start, loop_count: 3, break_conditions: [], logical_operator: and, loop_variables: []}}
      - {id: again-start, parentId: again, data: {type: loop-start, title: "", isInLoop: true, loop_id: again}}
      - {id: step, parentId: again, data: {type: template-transform, title: Step, isInLoop: true, loop_id: again, template: step, variables: []}}
      - {id: join, data: {type: variable-aggregator, title: What came of it, output_type: string, variables: [[well, output], [mended, output], [empty, output]]}}
      - {id: last, data: {type: code, title: The last word, code_language: javascript, variables: [{variable: text, value_selector: [start, text]}], outputs: {x: {type: string}}, code: "function main({ text }) { if (text === 'break') { throw new Error('The caller asked for a failure in the last node'); } return { x: 'fine' }; }"}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: came, value_selector: [join, output]}]}}
    edges:
      - {source: start, target: which}
      - {source: which, target: shaky, sourceHandle: "yes"}
      - {source: which, target: empty, sourceHandle: "false"}
      - {source: shaky, target: well}
      - {source: shaky, target: mended, sourceHandle: fail-branch}
      - {source: mended, target: again}
      - {source: again-start, target: step}
      - {source: well, target: join}
      - {source: again, target: join}
      - {source: empty, target: join}
      - {source: join, target: last}
      - {source: last, target: end}
`;
