/** What a tool does: only reads, or changes something (a hand-over to a human counts as a change). */
export type ToolKind = 'read' | 'state';

/** Tools of both tau-bench domains that only read; arXiv 2604.02869, appendix A for airline, `calculate` included. */
const READ_TOOLS = new Set([
  'calculate',
  'think',
  'find_user_id_by_email',
  'find_user_id_by_name_zip',
  'get_item_details',
  'get_order_details',
  'get_product_details',
  'get_user_details',
  'list_all_product_types',
  'get_reservation_details',
  'get_flight_status',
  'search_direct_flight',
  'search_onestop_flight',
  'list_all_airports',
]);

const READING_NAME = /^(?:get|find|list|search|lookup|check|view|read|count|calculate|think)(?:_|$)/;

/**
 * The kind of a tool by its name, for records of any domain. An unknown name that begins with a reading verb reads;
 * any other changes state, the cautious reading. A caller that knows better hands in its own function.
 */
export function toolKindByName(name: string): ToolKind {
  return READ_TOOLS.has(name) || READING_NAME.test(name) ? 'read' : 'state';
}
