// simdjson over the same lines, on one thread. `dom` validates and builds every document;
// `ondemand` looks at every member's raw text and validates what it meets. A JSON line a task.
//
//     simdjson LINES RUNS
#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

static size_t dom(simdjson::dom::parser &parser, const simdjson::padded_string &day) {
  simdjson::dom::document_stream documents;
  if (parser.parse_many(day, size_t(1) << 20).get(documents)) std::exit(3);
  size_t count = 0;
  for (auto document : documents) {
    if (document.error()) std::exit(3);
    count++;
  }
  return count;
}

// The length of a member's value as it was written.
static size_t raw(simdjson::simdjson_result<simdjson::ondemand::value> value) {
  std::string_view text;
  simdjson::ondemand::json_type type;
  if (value.type().get(type)) std::exit(3);
  if (type == simdjson::ondemand::json_type::object) {
    simdjson::ondemand::object object;
    if (value.get_object().get(object) || object.raw_json().get(text)) std::exit(3);
  } else if (type == simdjson::ondemand::json_type::array) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) || array.raw_json().get(text)) std::exit(3);
  } else {
    text = value.raw_json_token();
  }
  return text.size();
}

static size_t ondemand(simdjson::ondemand::parser &parser, const simdjson::padded_string &day,
                       size_t &bytes) {
  simdjson::ondemand::document_stream documents;
  if (parser.iterate_many(day, size_t(1) << 20).get(documents)) std::exit(3);
  size_t count = 0;
  for (auto document : documents) {
    simdjson::ondemand::object object;
    if (document.get_object().get(object)) std::exit(3);
    for (auto field : object) {
      simdjson::ondemand::raw_json_string name;
      if (field.key().get(name)) std::exit(3);
      bytes += raw(field.value());
    }
    count++;
  }
  return count;
}

template <typename Work>
static void report(const char *task, size_t bytes, int runs, Work work) {
  size_t events = work();
  std::string seconds;
  for (int run = 0; run < runs; run++) {
    auto start = std::chrono::steady_clock::now();
    events = work();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds += (run ? ", " : "") + std::to_string(took.count());
  }
  std::printf("{\"task\": \"%s\", \"bytes\": %zu, \"events\": %zu, ", task, bytes, events);
  std::printf("\"seconds\": [%s], \"cpu\": []}\n", seconds.c_str());
  std::fflush(stdout);
}

int main(int count, char **words) {
  if (count != 3) return 2;
  simdjson::padded_string day;
  if (simdjson::padded_string::load(words[1]).get(day)) return 2;
  int runs = std::atoi(words[2]);
  simdjson::dom::parser tree;
  tree.threaded = false;
  report("simdjson, DOM", day.size(), runs, [&] { return dom(tree, day); });
  simdjson::ondemand::parser lazy;
  lazy.threaded = false;
  size_t bytes = 0;
  report("simdjson, On-Demand", day.size(), runs, [&] { return ondemand(lazy, day, bytes); });
}
