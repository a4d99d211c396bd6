// SPDX-License-Identifier: MIT
//
// Finds events that contradict the recording before them. A recording without a loss introduces each object: by the
// table of entries, by a name, or by the event that creates it. So an event of another object, or of an object of
// another kind, is damaged. This needs evidence from the recording: an earlier event of an introduced object of this
// class, and none of an object that was not introduced. A second event that agrees with a contradicting one proves that
// the recorder knows the object.
#include "mapping.h"

#include "../../base/attributes.h"

// Returns true if an object may exist that the recording has not introduced.
TK_COLD static bool may_be_unknown(const struct psf_mapping *m) {
    const struct psf_session *session = m->session;
    if (!m->map->complete || m->map->objects.count == PSF_MAX_OBJECTS) return true;
    if (m->class == PSF_IS_TASK && m->subject == PSF_STARTUP) return true;
    if (m->class == PSF_IS_CHANNEL && !m->subject) return true;
    for (uint8_t core = 0; session->timer.apart && core < session->layout.cores; core++)
        if (!session->cores[core].seen) return true; // its file is missing
    return false;
}

TK_COLD static bool is_new_possible(const struct psf_mapping *m) {
    bool is_text = false;
    if (m->step->event.record == PSF_USER_EVENT)
        psf_user_arguments(&m->session->layout, &m->step->event, &is_text); // its channel may be a constant
    uint32_t class = 1u << m->class;
    if (!(m->map->introduced & class)) m->map->not_introduced |= class;
    if (is_text || m->map->not_introduced & class || may_be_unknown(m)) return true;
    psf_object_at(&m->map->objects, m->subject)->contradicting_class = m->class;
    return false;
}

// Decides about an event of an object that was not introduced or is of another class.
TK_COLD static bool agrees_with_earlier(const struct psf_mapping *m, struct psf_object *object) {
    bool is_second = object->contradicting_class == m->class, is_other = object->class && !object->dead;
    if (is_other && !m->map->complete) return true;
    object->contradicting_class = is_second || !is_other ? PSF_IS_ANY : m->class;
    return is_second || !is_other;
}

bool psf_agrees(const struct psf_mapping *m, struct psf_object *object) {
    if (!object) return is_new_possible(m);
    m->map->introduced |= 1u << m->class;
    if (!object->contradicting_class && (!object->class || object->dead || object->class == m->class)) return true;
    return object->class == m->class || agrees_with_earlier(m, object);
}

bool psf_agrees_with(const struct psf_mapping *m, uint64_t address, enum psf_class class) {
    struct psf_mapping other = *m;
    other.subject = address;
    other.class = (uint8_t)class;
    return psf_agrees(&other, psf_object_known(&m->map->objects, address));
}

// Reports the event. is_lost: the model treats it as lost.
TK_COLD static void report(const struct psf_mapping *m, bool is_lost) {
    struct tk_source_pos place = tk_event_source_pos(&m->out->at);
    tk_diag_note(m->out->host->diag, TK_DIAG_EVENT_CONTRADICTS, &place, 1);
    psf_emit(m, TK_EV_PROBLEM)->problem =
        (struct tk_event_problem){ .diag = TK_DIAG_EVENT_CONTRADICTS, .loss_reported = !is_lost };
}

TK_COLD void psf_report_contradiction(const struct psf_mapping *m) { report(m, true); }

// Events announce each change of a priority, so a switch that shows another one is damaged. A second switch that shows
// the same one proves that the change was not announced.
TK_COLD bool psf_accepts_priority(const struct psf_mapping *m, struct psf_object *task) {
    uint32_t priority = psf_u32_of(psf_arg(m, 1)) + 1;
    bool is_new =
        !task->present || task->contradicting_priority == priority || !m->map->complete || !m->map->priorities_agree;
    task->contradicting_priority = is_new ? 0 : priority;
    if (is_new) return true;
    report(m, false);
    return false;
}

bool psf_tick_agrees(const struct psf_mapping *m) {
    enum { LONGEST = 1 << 24 }; // ticks without an event
    return !m->map->ticks_known || (uint32_t)(m->subject - m->map->tick) < LONGEST;
}
